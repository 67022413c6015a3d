"""Machines that run GPU code without a GPU. Nothing else imports them; they need NumPy (`pip install hetjit[emulation]`)."""
