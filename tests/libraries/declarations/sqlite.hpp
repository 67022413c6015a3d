// SQLite: handles, texts, blobs.
const char* sqlite3_libversion();
int sqlite3_libversion_number();
int sqlite3_open(const char* filename,
    sqlite3** db +intent(out)+owner(caller)+destructor_name(close));
int sqlite3_prepare_v2(sqlite3* db, const char* sql, int bytes,
    sqlite3_stmt** statement +intent(out)+owner(caller)+destructor_name(finalize),
                       const char** tail +intent(out)+hidden);
int sqlite3_step(sqlite3_stmt* statement);
int sqlite3_reset(sqlite3_stmt* statement);
int sqlite3_bind_int64(sqlite3_stmt* statement, int index, sqlite3_int64 value);
int sqlite3_bind_double(sqlite3_stmt* statement, int index, double value);
inline int bind_text(sqlite3_stmt* statement, int index, const char* text) {
  return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}
int sqlite3_column_count(sqlite3_stmt* statement);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt* statement, int column);
double sqlite3_column_double(sqlite3_stmt* statement, int column);
inline const char* column_text(sqlite3_stmt* statement, int column) {
    return (const char*)sqlite3_column_text(statement, column); }
const char* sqlite3_column_name(sqlite3_stmt* statement, int column);
const char* sqlite3_errmsg(sqlite3* db);
