"""``python -m trayecto`` is the command line."""

from trayecto.cli import main

if __name__ == "__main__":
    main()
