"""Arithmetic that NumPy does not have, of both vendors: rounding modes, small and packed formats, contended updates."""
