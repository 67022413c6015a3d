"""Libraries that nobody here wrote, bound by their headers and a file of declarations with attributes, against what their documents say."""

import gc
import pathlib
import zlib

import numpy as np
import pytest

from hetjit import interop

DECLARATIONS = pathlib.Path(__file__).parent / "declarations"


def bound(name, library, headers, **more):
    """The library; the test is skipped where it or its headers are not installed."""
    include = pathlib.Path("/usr/include")
    if not all((include / header).exists() for header in headers):
        pytest.skip(f"the headers of {name} are not installed")
    return interop.bind(DECLARATIONS / f"{name}.hpp", library, headers=[f"<{header}>" for header in headers], **more)


def test_names_of_libraries():
    """A linker's name, and a file's name where linkers look; what is not there is named as it was looked for."""
    for library in ("m", "libm.so.6"):
        assert interop.bind("double sqrt(double x);", library, language="c").sqrt(9.0) == 3
    for library, file in (("nowhere", "libnowhere.so"), ("libnowhere.so.1", "libnowhere.so.1"), ("nowhere.so", "nowhere.so")):
        with pytest.raises(FileNotFoundError, match=f"there is no library {file} where linkers look; give its path"):
            interop.bind("double sqrt(double x);", library, language="c")


@pytest.fixture(scope="module")
def gsl():
    return bound("gsl", "gsl", ["gsl/gsl_sf.h", "gsl/gsl_statistics.h", "gsl/gsl_sort.h", "gsl/gsl_poly.h", "gsl/gsl_fit.h", "gsl/gsl_blas.h",
                                "gsl/gsl_integration.h"], destructors={"vector": "gsl_vector_free((gsl_vector*)ptr);"}, language="c",
                 options=["-lgslcblas"])


def test_gsl_numbers(gsl):
    assert gsl.gsl_sf_bessel_J0(5.0) == pytest.approx(-1.775967713143382920e-01, rel=1e-15)  # the manual's first example
    assert gsl.gsl_sf_gamma(5.0) == 24
    assert gsl.gsl_poly_eval([1, 2, 3], 2.0) == 17
    assert gsl.gsl_poly_solve_quadratic(1, -3, 2) == (2, 1.0, 2.0)


def test_gsl_arrays(gsl):
    data = np.array([17.2, 18.1, 16.5, 18.3, 12.6])  # the manual's example of statistics
    assert gsl.gsl_stats_mean(data, 1) == pytest.approx(16.54)
    assert gsl.gsl_stats_variance(data, 1) == pytest.approx(5.373)
    assert gsl.gsl_stats_max(data, 1) == 18.3
    assert gsl.gsl_sort(data, 1) is data
    assert data.tolist() == [12.6, 16.5, 17.2, 18.1, 18.3]
    failed, c0, c1, *_ = gsl.gsl_fit_linear([0, 1, 2, 3], 1, [1, 3, 5, 7], 1)
    assert (failed, c0, c1) == (0, pytest.approx(1), pytest.approx(2))


def test_gsl_vectors(gsl):
    vector = gsl.gsl_vector_calloc(3)
    assert vector.owned
    for i, value in enumerate((2.0, 3.0, 6.0)):
        gsl.gsl_vector_set(vector, i, value)
    assert gsl.gsl_vector_get(vector, 1) == 3 and gsl.gsl_blas_dnrm2(vector) == 7
    view = gsl.gsl_vector_ptr(vector, 0)
    view *= 2
    assert gsl.gsl_vector_get(vector, 2) == 12
    vector.delete()
    with pytest.raises(interop.ReleasedError):
        gsl.gsl_vector_get(vector, 0)


def test_gsl_callbacks(gsl):
    assert gsl.integral(lambda x, unused: x * x, 0, 3) == pytest.approx(9)
    assert gsl.integral(lambda x, unused: gsl.integral(lambda y, unused: x * y, 0, 2), 0, 1) == pytest.approx(1)
    with pytest.raises(ZeroDivisionError):
        gsl.integral(lambda x, unused: 1 / 0, 0, 1)
    with pytest.raises(TypeError):
        gsl.integral(lambda x, unused: "one", 0, 1)
    with pytest.raises(TypeError, match="'f' is a function, not 3"):
        gsl.integral(3, 0, 1)
    assert gsl.integral(lambda x, unused: 1, 0, 1) == 1


@pytest.fixture(scope="module")
def z():
    return bound("zlib", "z", ["zlib.h"], language="c")


def test_zlib(z):
    data = np.frombuffer(b"hello, hello, hello, hello!", np.uint8)
    assert z.zlibVersion() == zlib.ZLIB_RUNTIME_VERSION
    assert z.crc32(0, data) == zlib.crc32(data) and z.adler32(1, data) == zlib.adler32(data)
    assert z.crc32(0, np.frombuffer(b"123456789", np.uint8)) == 0xCBF43926  # the check value of CRC-32
    assert z.compressBound(1000) == 1013
    assert z.crc32_combine(zlib.crc32(b"ab"), zlib.crc32(b"cde"), 3) == zlib.crc32(b"abcde")
    assert z.adler32_combine(zlib.adler32(b"ab"), zlib.adler32(b"cde"), 3) == zlib.adler32(b"abcde")
    assert z.zError(-3) == "data error" and z.zlibCompileFlags() > 0
    failed, packed, size = z.compress(z.compressBound(data.size), data)
    assert failed == 0 and zlib.decompress(packed[:size].tobytes()) == data.tobytes()
    failed, back, size = z.uncompress(data.size, packed[:size])
    assert failed == 0 and back.tobytes() == data.tobytes() and size == data.size
    assert z.uncompress(5, packed)[0] == -5  # Z_BUF_ERROR


@pytest.fixture(scope="module")
def sqlite():
    return bound("sqlite", "sqlite3", ["sqlite3.h"], language="c",
                 destructors={"close": "sqlite3_close_v2((sqlite3*)ptr);", "finalize": "sqlite3_finalize((sqlite3_stmt*)ptr);"})


def test_sqlite(sqlite):
    ROW, DONE = 100, 101
    assert sqlite.sqlite3_libversion_number() == int("{}{:03}{:03}".format(*map(int, sqlite.sqlite3_libversion().split("."))))
    failed, db = sqlite.sqlite3_open(":memory:")
    assert failed == 0 and db.kind == "sqlite3"

    def statement(sql):
        failed, made = sqlite.sqlite3_prepare_v2(db, sql, -1)
        assert failed == 0, sqlite.sqlite3_errmsg(db)
        return made
    assert sqlite.sqlite3_step(statement("create table birds (name text, weight real, eggs integer)")) == DONE
    insert = statement("insert into birds values (?, ?, ?)")
    for name, weight, eggs in (("wren", 9.5, 6), ("été", 1.5, 2**40)):
        assert sqlite.bind_text(insert, 1, name) == sqlite.sqlite3_bind_double(insert, 2, weight) == sqlite.sqlite3_bind_int64(insert, 3, eggs) == 0
        assert sqlite.sqlite3_step(insert) == DONE and sqlite.sqlite3_reset(insert) == 0
    select = statement("select * from birds order by eggs desc")
    assert sqlite.sqlite3_column_count(select) == 3 and sqlite.sqlite3_column_name(select, 1) == "weight"
    found = []
    while sqlite.sqlite3_step(select) == ROW:
        found.append((sqlite.column_text(select, 0), sqlite.sqlite3_column_double(select, 1), sqlite.sqlite3_column_int64(select, 2)))
    assert found == [("été", 1.5, 2**40), ("wren", 9.5, 6)]
    failed, nothing = sqlite.sqlite3_prepare_v2(db, "selekt", -1)
    assert failed == 1 and nothing is None and sqlite.sqlite3_errmsg(db) == 'near "selekt": syntax error'
    with pytest.raises(TypeError, match="'statement' is a sqlite3_stmt, not a sqlite3"):
        sqlite.sqlite3_step(db)
    db.delete()
    del insert, select
    gc.collect()


@pytest.fixture(scope="module")
def fftw():
    return bound("fftw", "fftw3", ["fftw3.h"], options=["-include", "complex"],
                 destructors={"plan": "fftw_destroy_plan((fftw_plan)ptr);", "memory": "fftw_free(ptr);"})


def test_fftw(fftw):
    x = np.exp(2j * np.pi * 3 * np.arange(16) / 16)
    out = np.zeros(16, complex)
    plan = fftw.plan_dft(x, out, -1)[0]
    fftw.fftw_execute(plan)
    assert np.allclose(out, np.fft.fft(x)) and np.argmax(abs(out)) == 3
    assert fftw.fftw_cost(plan) >= 0 and len(fftw.fftw_flops(plan)) == 3 and "dft" in fftw.fftw_sprint_plan(plan)
    plan.delete()
    real = fftw.fftw_alloc_real(8)
    assert fftw.fftw_alignment_of(np.asarray(real))[0] == 0
    real[:] = np.arange(8)
    spectrum = np.zeros(5, complex)
    half = fftw.plan_r2c(real, spectrum)[0]
    real[:] = np.arange(8)
    fftw.fftw_execute(half)
    assert np.allclose(spectrum, np.fft.rfft(np.arange(8)))
    half.delete()
    real.base.delete()
    fftw.fftw_cleanup()
