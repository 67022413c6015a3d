"""Headers of libraries that nobody here wrote, bound as they are: no declaration is written, what Python cannot call is named and left out."""

import pathlib
import re
import zlib

import pytest

np = pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

from hetjit import interop


def bound(header, library, headers=(), **more):
    """What a header declares. What is refused is left out as the message says."""
    found = [path for path in map(pathlib.Path, (f"/usr/include/{header}", f"/usr/include/x86_64-linux-gnu/{header}")) if path.exists()]
    if not found:
        pytest.skip(f"{header} is not installed")
    left_out = []
    for _ in range(6):
        try:
            return interop.bind(found[0], library, headers=headers, leave_out=left_out, **more), left_out
        except interop.BindError as error:
            listed = re.search(r"left out by bind\(leave_out=\[(.*)\]\)", str(error))
            assert listed, str(error)
            left_out += re.findall(r'"([^"]*)"', listed[1])
    raise AssertionError(left_out)


def test_zlib():
    z, left_out = bound("zlib.h", "z")
    assert left_out == ["gzprintf", "gzvprintf"] and len(vars(z)) > 80
    assert z.zlibVersion() == zlib.ZLIB_RUNTIME_VERSION and z.crc32_combine(zlib.crc32(b"ab"), zlib.crc32(b"cde"), 3) == zlib.crc32(b"abcde")
    assert z.zError(-3) == "data error" and z.compressBound(1000) == 1013 and not hasattr(z, "gzprintf")


def test_expat():
    expat, left_out = bound("expat.h", "expat")
    assert not left_out and expat.XML_ExpatVersion().startswith("expat_2")
    assert expat.XML_ErrorString(expat.XML_ERROR_NO_MEMORY) == "out of memory" and expat.XML_STATUS_OK == 1
    with pytest.raises(TypeError, match="is a str, not None; where a null pointer may be passed, declare that: const XML_Char \\* encoding \\+nullable"):
        expat.XML_ParserCreate(None)
    parser = interop.bind("XML_Parser XML_ParserCreate(const XML_Char* encoding +nullable);", "expat", headers=["<expat.h>"]).XML_ParserCreate(None)
    text = "<a><b/></c>"
    assert expat.XML_Parse(parser, text, len(text), 1) == expat.XML_STATUS_ERROR
    assert expat.XML_GetErrorCode(parser) == expat.XML_ERROR_TAG_MISMATCH and expat.XML_GetCurrentLineNumber(parser) == 1
    expat.XML_ParserFree(parser)


def test_gsl():
    gsl, left_out = bound("gsl/gsl_sf_bessel.h", "gsl")
    assert not left_out and gsl.gsl_sf_bessel_J0(5.0) == pytest.approx(-1.775967713143382920e-01, rel=1e-15) and len(vars(gsl)) > 80


def test_fftw():
    fftw, left_out = bound("fftw3.h", "fftw3", ["<stdio.h>"])
    assert all(name.startswith(("fftwf_", "fftwl_")) or "_thread" in name or "nthreads" in name for name in left_out)
    x = np.array([1, 2, 3, 4], complex)
    out = np.zeros(4, complex)
    plan = fftw.fftw_plan_dft_1d(4, x.ctypes.data, out.ctypes.data, -1, 64)  # FFTW_ESTIMATE
    fftw.fftw_execute(plan)
    assert np.allclose(out, np.fft.fft(x))
    fftw.fftw_destroy_plan(plan)


def test_png_whose_macros_write_its_declarations():
    png, left_out = bound("png.h", "png")
    assert not left_out and png.png_access_version_number() > 10600
    with pytest.raises(TypeError, match="not None; where a null pointer may be passed"):
        png.png_get_copyright(None)
    declared = interop.bind("const char* png_get_copyright(png_const_structrp png_ptr +nullable);", "png", headers=["<png.h>"])
    assert declared.png_get_copyright(None).strip().startswith("libpng")
    assert callable(png.png_get_uint_32)  # a macro of that name is not called


def test_yaml_whose_structs_have_no_names():
    yaml, left_out = bound("yaml.h", "yaml")
    assert not left_out and re.match(r"\d+\.\d+\.\d+$", yaml.yaml_get_version_string()) and yaml.YAML_UTF8_ENCODING == 1


def test_gmp_whose_structs_point():
    gmp, left_out = bound("gmp.h", "gmp", ["<stdio.h>"])
    assert "__gmp_printf" in left_out and len(vars(gmp)) > 300
    call = {name[len("__gmpz_"):]: function for name, function in vars(gmp).items() if name.startswith("__gmpz_")}
    a, b = (vars(gmp)["__mpz_struct"]() for _ in range(2))
    assert call["init_set_str"](a, "123456789012345678901234567890", 10) == 0
    call["init"](b)
    call["mul"](b, a, a)
    found = int.from_bytes(interop.as_array(b._mp_d, b._mp_size, "u8").tobytes(), "little")
    assert found == 123456789012345678901234567890 ** 2 and call["sizeinbase"](b, 10) == 59
    assert call["fac_ui"](a, 25) is None and call["get_ui"](a) == __import__("math").factorial(25) % 2**64
    for each in (a, b):
        call["clear"](each)


def test_curl_whose_headers_stand_beside_it():
    curl, left_out = bound("curl/curl.h", "curl")
    assert set(left_out) == {"curl_formadd", "curl_share_setopt"} and curl.curl_version().startswith("libcurl/")
    assert curl.CURLE_URL_MALFORMAT == 3 and curl.curl_getdate("Sun, 06 Nov 1994 08:49:37 GMT", 0) == 784111777  # of RFC 2616
    easy = interop.bind("CURL* curl_easy_init(void); char* curl_easy_escape(CURL* handle, const char* text, int length); void curl_easy_cleanup(CURL* handle);",
                        "curl", headers=["<curl/curl.h>"], language="c")
    handle = easy.curl_easy_init()
    assert easy.curl_easy_escape(handle, "a b/c", 0) == "a%20b%2Fc"
    easy.curl_easy_cleanup(handle)


def test_hdf5(tmp_path):
    name = "hdf5_serial" if pathlib.Path("/usr/include/hdf5/serial").exists() else "hdf5"
    folder = "hdf5/serial/" if name == "hdf5_serial" else ""
    h5, _ = bound(f"{folder}H5public.h", name)
    failed, *version = h5.H5get_libversion(0, 0, 0)
    assert failed == 0 and version[0] >= 1 and h5.H5open() == 0
    files, _ = bound(f"{folder}H5Fpublic.h", name)
    path = str(tmp_path / "file.h5")
    made = files.H5Fcreate(path, 2, 0, 0)  # H5F_ACC_TRUNC, H5P_DEFAULT
    assert made > 0 and files.H5Fclose(made) == 0 and files.H5Fis_hdf5(path) == 1 and files.H5Fis_hdf5(__file__) == 0


def test_stat_which_is_a_struct_and_a_function():
    stat, _ = bound("sys/stat.h", None)
    failed, found = stat.stat(__file__, np.zeros((), stat.struct_stat))
    there = pathlib.Path(__file__).stat()
    assert failed == 0 and (found["st_size"], found["st_mtim"]["tv_sec"], found["st_mode"]) == (there.st_size, int(there.st_mtime), there.st_mode)
    assert stat.stat("/nowhere", np.zeros((), stat.struct_stat))[0] == -1
    lib = interop.bind("""
        struct both { int x; double* at +dimension(x); };
        inline int both(struct both b) { return b.x; }
        inline struct both* made(int x) +owner(caller) { return new struct both{x, nullptr}; }
    """)
    one = lib.struct_both(x=7)
    assert lib.both(one) == 7 and lib.both(lib.made(8)) == 8


def test_what_is_left_out():
    text = "int printed(const char* format, ...); int other(...); inline int one() { return 1; } struct S { int x; }; bool operator==(S a, S b);"
    with pytest.raises(interop.BindError) as caught:
        interop.bind(text)
    assert caught.value.code == "B114" and caught.value.notes[-1] == (
        '3 functions are refused, which are left out by bind(leave_out=["printed", "other", "operator=="])')
    assert interop.bind(text, leave_out=["printed", "other", "operator*"]).one() == 1
    with pytest.raises(interop.BindError, match=r'it is left out by bind\(leave_out=\["far"\]\)'):
        interop.bind("void far(long double x);")
    with pytest.raises(interop.BindError, match=r'the library has no .*\n.*\n.*\n.*2 functions are refused.*\["gone", "away"\]'):
        interop.bind("int gone(int x); inline int here() { return 2; } int away();")
    assert interop.bind("int gone(int x +rank(3)); inline int here() { return 2; }", leave_out="gone").here() == 2
    for wrong in (3, [3], {"gone": 1}):
        with pytest.raises(TypeError, match="takes names of functions"):
            interop.bind("inline int one() { return 1; }", leave_out=wrong)
    assert interop.bind("inline int f(int x); int f(int x); inline int f(int x) { return x; }").f(3) == 3


def test_rows_of_arrays():
    lib = interop.bind("""
        inline double trace(const double (*m)[2] +rank(2)) { return m[0][0] + m[1][1]; }
        inline double corner(double m[2][3] +dimension(2, 3)) { return m[1][2]; }
        inline const char& letter(const char* text, int n) { return text[n]; }
        inline int second(const int& first +rank(1)) { return (&first)[1]; }
        inline void fill(int (*m)[2] +intent(out)+dimension(n, 2), int n) { for (int i = 0; i < n; ++i) m[i][0] = m[i][1] = i; }
    """)
    assert lib.trace([[1.0, 2.0], [3.0, 4.0]]) == 5 and lib.corner(np.arange(6.0).reshape(2, 3))[0] == 5
    assert lib.second([4, 5, 6]) == 5 and lib.letter("abc", 1) == "b"
    assert lib.fill(3).tolist() == [[0, 0], [1, 1], [2, 2]]


def test_what_included_files_declare():
    m, _ = bound("math.h", "m")
    with pytest.raises(AttributeError, match=r"has no 'sin': it is declared in an included file, .* declare it there, with the file among headers="):
        m.sin(1.0)
    with pytest.raises(AttributeError, match="has no 'sinus'$"):
        m.sinus(1.0)
    assert not hasattr(m, "sin") and interop.bind("extern \"C\" double sin(double x);", "m", headers=["<math.h>"]).sin(0.0) == 0
    namespace = interop.bind("namespace app { inline int one() { return 1; } }").app
    with pytest.raises(AttributeError, match="app has no 'two'$"):
        namespace.two()


@pytest.mark.parametrize("sign", ["+", "+=", "=", "==", "!=", "<=", ">=", "-=", "->", "[]", "()", "++", "<=>", "new", "bool"])
def test_attributes_behind_an_operator_are_attributes(sign):
    """Its sign is no default value, and no sum."""
    declared = {"->": "A* operator->() {", "()": "int operator()(int n) {", "[]": "int operator[](int n) {", "++": "A& operator++() {", "new": "void* operator new(std::size_t n) {",
                "bool": "operator bool() const {"}.get(sign, f"A& operator{sign}(int n) {{")
    lib = interop.bind(f"#include <cstddef>\nclass A {{ public: A() {{}} {declared} throw 1; }}\n static A* made(int n) +owner(caller) {{ return ::new A; }} int x = 1; }};",
                       leave_out=["operator*"])
    assert lib.A.made(1).x == 1
