"""A device of a federated run: trains the network of network.py on its own samples, and sends what changed."""
import argparse, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "src"))

import numpy as np
import torch
from levee import Device, LeveeError
from network import network

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("--id", required=True, metavar="w3")
options.add_argument("--bootstrap-servers", required=True, metavar="HOST:9092")
options.add_argument("--run", default="levee", metavar="NAME")
options.add_argument("--keys", metavar="DIR", help="directory of ID.key and job.pub, if the run has keys")
options.add_argument("--data", required=True, metavar="FILE", help=".npz with features and labels")
options = options.parse_args()

with np.load(options.data) as arrays:
    data = torch.from_numpy(arrays["features"]), torch.from_numpy(arrays["labels"])
try:
    with Device(
        options.id,
        options.bootstrap_servers,
        options.keys,
        run=options.run,
        state=f"{options.run}.{options.id}.answer",
        progress=lambda p: print(f"version {p.version}: loss {p.loss:.4f}", file=sys.stderr),
    ) as device:
        step = device.run(network, torch.nn.functional.cross_entropy, data)
    print(f"The run is over with version {step.version}.", file=sys.stderr)
except LeveeError as e:
    sys.exit(f"device: {e}")
