"""A device of a federated run: trains the network of network.py on its own samples, and sends what changed."""
import argparse, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "src"))

import numpy as np
import torch
from levee import Device, LeveeError
from network import network

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("--id", required=True, metavar="w3")
where = options.add_mutually_exclusive_group(required=True)
where.add_argument("--bootstrap-servers", dest="address", metavar="HOST:9092")
where.add_argument("--gateway", dest="address", metavar="https://HOST:8443")
options.add_argument("--run", default="levee", metavar="NAME")
options.add_argument("--keys", metavar="DIR", help="directory of ID.key and job.pub, if the run has keys")
options.add_argument("--data", required=True, metavar="FILE", help=".npz with features and labels")
options.add_argument("--byzantine", action="store_true", help="send noise instead of what was learned")
options = options.parse_args()

with np.load(options.data) as arrays:
    data = torch.from_numpy(arrays["features"]), torch.from_numpy(arrays["labels"])
draws = np.random.default_rng(1)


def noise(parameters, work):
    return parameters + draws.normal(0, 5, len(parameters)).astype(np.float32), 0.01, len(data[1])


try:
    with Device(
        options.id,
        options.address,
        options.keys,
        run=options.run,
        state=f"{options.run}.{options.id}.answer",
        progress=lambda p: print(f"version {p.version}: loss {p.loss:.4f}", file=sys.stderr),
    ) as device:
        if options.byzantine:
            while not (step := device.train(noise)).over:
                pass
        else:
            step = device.run(network, torch.nn.functional.cross_entropy, data)
    print(f"The run is over with version {step.version}.", file=sys.stderr)
except LeveeError as e:
    sys.exit(f"device: {e}")
