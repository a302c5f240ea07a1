"""A worker of Levee in Python: logistic regression over Kafka, as the package in ../../python has it."""
import pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "src"))

from levee.command import main
from levee.frames import decode, encode
from levee.keys import share
from levee.logistic import gradient

__all__ = ["decode", "encode", "gradient", "main", "share"]

if __name__ == "__main__":
    sys.exit(main())
