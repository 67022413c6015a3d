"""Whole programs over the stand-ins for the vendors' drivers (stand_in.py): who waits for whom, who lives how long, and what comes of
a driver's errors. A program is a function of stand_in_programs.py, stand_in_arrays.py or stand_in_graphs.py."""

import inspect

import pytest

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

import stand_in
import stand_in_arrays
import stand_in_graphs
import stand_in_programs

PROGRAMS = [(module.__name__, name) for module in (stand_in_programs, stand_in_arrays, stand_in_graphs)
            for name, program in inspect.getmembers(module, inspect.isfunction)
            if list(inspect.signature(program).parameters) == ["driver"] and not name.startswith("_")]


@pytest.mark.parametrize("vendor", stand_in.VENDORS)
@pytest.mark.parametrize("module, program", PROGRAMS)
def test_program(module, program, vendor):
    if not stand_in.LIBRARIES.exists():
        pytest.skip("the stand-ins for drivers were not built")
    if vendor == "hip" and program.startswith("cuda_"):
        pytest.skip("our arrays offer the CUDA Array Interface on CUDA only")
    said = stand_in.run(module, program, vendor)
    assert not said, said
