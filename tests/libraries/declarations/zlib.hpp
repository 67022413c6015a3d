// zlib: checksums, and buffers in and out.
const char* zlibVersion();
uLong crc32(uLong crc, const Bytef* buf +rank(1), uInt len +implied(size(buf)));
uLong adler32(uLong adler, const Bytef* buf +rank(1), uInt len +implied(size(buf)));
uLong crc32_combine(uLong crc1, uLong crc2, long len2);
uLong adler32_combine(uLong adler1, uLong adler2, long len2);
uLong compressBound(uLong sourceLen);
uLong zlibCompileFlags();
const char* zError(int code);
int compress(Bytef* dest +intent(out)+dimension(compressBound(size(source))), uLongf* destLen,
    const Bytef* source +rank(1),
             uLong sourceLen +implied(size(source)));
int uncompress(Bytef* dest +intent(out)+dimension(destLen), uLongf* destLen,
    const Bytef* source +rank(1), uLong sourceLen +implied(size(source)));
