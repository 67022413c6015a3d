"""Whole programs over the stand-ins for the vendors' drivers (stand_in.py): who waits for whom, who lives how long, and what comes of
a driver's errors. A program is a function of stand_in_programs.py."""

import inspect

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import stand_in
import stand_in_programs

PROGRAMS = [name for name, program in inspect.getmembers(stand_in_programs, inspect.isfunction)
            if list(inspect.signature(program).parameters) == ["driver"]]


@pytest.mark.parametrize("vendor", stand_in.VENDORS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program, vendor):
    if not stand_in.LIBRARIES.exists():
        pytest.skip("the stand-ins for drivers were not built")
    if vendor == "hip" and program.startswith("cuda_"):
        pytest.skip("the CUDA Array Interface is for CUDA's memory")
    said = stand_in.run(program, vendor)
    assert not said, said
