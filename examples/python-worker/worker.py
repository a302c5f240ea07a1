"""A worker of Levee in Python: logistic regression over Kafka, written from docs/wire-format.md."""
import argparse, collections, hashlib, hmac, os, pathlib, struct, time

import numpy as np
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

BLOCK, HEADER, DOMAIN = 1 << 17, 200, b"levee/2:"
HEAD = struct.Struct("<4sBBHqqiiiiqii")  # bytes 0 to 55 of every frame
OF_GRADIENT = struct.Struct("<dqq8x")  # bytes 56 to 87
FIELD, STOP = struct.Struct("<Hi"), 1
Settings = collections.namedtuple("Settings", "learning_rate workers batch flags")
Model = collections.namedtuple("Model", "run version block blocks settings values")


def share(key, job):
    """What the owners of two Ed25519 keys share: X25519 over the same keys."""
    p = 2**255 - 19
    seed = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    y = int.from_bytes(job.public_bytes(Encoding.Raw, PublicFormat.Raw), "little") & ~(1 << 255)
    u = (1 + y) * pow(1 - y, -1, p) % p
    scalar = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    secret = scalar.exchange(X25519PublicKey.from_public_bytes(u.to_bytes(32, "little")))
    return hashlib.sha256(DOMAIN + secret).digest()


def encode(run, version, worker, block, blocks, values, loss, times, key=None, shared=None):
    """The frame of one block of a gradient."""
    values = np.asarray(values, "<f4")
    frame = HEAD.pack(b"LEVE", 2, 2, 0, run, version, worker, 0, block, 0, version, blocks, len(values))
    frame += OF_GRADIENT.pack(loss, *times)
    checksum = hashlib.sha256(frame + values.tobytes()).digest()
    tag = hmac.digest(shared, DOMAIN + checksum, "sha256")[:16] if key else bytes(16)
    signature = key.sign(DOMAIN + checksum + tag) if key else bytes(64)
    return frame + checksum + signature + tag + values.tobytes()


def deltas(value):
    """Ascending numbers, of which the first is there and how much greater each is than the one before."""
    number, delta, shift = 0, 0, 0
    for byte in value:
        delta, shift = delta | (byte & 127) << shift, shift + 7
        if byte < 128:
            number, delta, shift = number + delta, 0, 0
            yield number


def read_settings(section):
    """Settings of a section of tagged fields; None if it is none."""
    fields, at = {}, 4
    while at + FIELD.size <= len(section):
        tag, length = FIELD.unpack_from(section, at)
        at += FIELD.size + max(length, 0)
        fields[tag] = section[at - length : at]
    if len(section) < 4 or at != len(section) or at != 4 + struct.unpack_from("<i", section)[0]:
        return None
    field = lambda tag, code, default: struct.unpack(code, fields[tag])[0] if tag in fields else default
    workers = list(deltas(fields[2])) if 2 in fields else range(field(1, "<i", 0))
    return Settings(field(6, "<d", 0.0), workers, field(5, "<i", 1), field(7, "<i", 0))


def decode(frame, key=None):
    """The block of a model in a frame, None if there is none or the job did not sign it."""
    if frame is None or len(frame) < HEADER:
        return None
    *layout, run, version, _, _, block, _, _, blocks, length = HEAD.unpack_from(frame)
    checksum = hashlib.sha256(frame[:88] + frame[HEADER:]).digest()
    if layout != [b"LEVE", 2, 1, 0] or not 0 <= 4 * length < len(frame) - HEADER or checksum != frame[88:120]:
        return None
    try:
        if key:
            key.verify(frame[120:184], DOMAIN + checksum + frame[184:HEADER])
    except InvalidSignature:
        return None
    settings = read_settings(frame[HEADER + 4 * length :])
    values = np.frombuffer(frame, "<f4", length, HEADER)
    return settings and Model(run, version, block, blocks, settings, values)


def gradient(parameters, x, y):
    """Gradient of the mean softmax cross-entropy, and that mean: weight (classes, features), then bias."""
    classes = len(parameters) // (x.shape[1] + 1)
    weight, bias = np.split(parameters, [-classes])
    logits = (x @ weight.reshape(classes, -1).T + bias).astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    rows, total = np.arange(len(y)), np.exp(logits).sum(axis=1, keepdims=True)
    loss = np.mean(np.log(total[:, 0]) - logits[rows, y])
    slope = np.exp(logits) / total
    slope[rows, y] -= 1
    slope = (slope / len(y)).astype(np.float32)
    return np.concatenate([(slope.T @ x).ravel(), slope.sum(axis=0)]), loss


def load(file):
    """Samples (n, features) as float32, and their labels, of an .npz or a CSV with the label last."""
    if file.endswith(".npz"):
        data = np.load(file)
        return data["features"].reshape(len(data["labels"]), -1).astype(np.float32), data["labels"].astype(int)
    rows = np.loadtxt(file, delimiter=",", ndmin=2)
    return rows[:, :-1].astype(np.float32), rows[:, -1].astype(int)


def main():
    from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

    parser = argparse.ArgumentParser(description=__doc__)
    for option, example in ("id", "w3"), ("bootstrap-servers", "HOST:9092"), ("run", "NAME"), ("data", "FILE"):
        parser.add_argument("--" + option, required=True, metavar=example)
    parser.add_argument("--keys", type=pathlib.Path, help="directory of ID.key and job.pub, if the run has keys")
    parser.add_argument("--momentum", type=float, default=0.9)
    parser.add_argument("--resend", type=float, default=2, help="seconds without a newer version (default 2)")
    options = parser.parse_args()
    x, y = load(options.data)
    key = options.keys and load_pem_private_key((options.keys / f"{options.id}.key").read_bytes(), None)
    job = options.keys and load_pem_public_key((options.keys / "job.pub").read_bytes())
    shared = key and share(key, job)
    worker, kafka = int(options.id[1:]), {"bootstrap.servers": options.bootstrap_servers}
    consumer = Consumer({**kafka, "group.id": options.id, "isolation.level": "read_committed", "enable.auto.commit": False})
    producer = Producer({**kafka, "enable.idempotence": True})
    models, gradients = options.run + ".models", options.run + ".gradients"
    partitions = len(consumer.list_topics(models, timeout=30).topics[models].partitions)
    consumer.assign([TopicPartition(models, p, OFFSET_BEGINNING) for p in range(partitions)])

    kept = pathlib.Path(f"{options.run}.{options.id}.answer")  # or a restarted worker may contradict itself
    answer = kept.read_bytes() if kept.exists() else b""
    answered = HEAD.unpack_from(answer)[4:6] if answer else (-1, -1)
    newest, versions, momentum, sent = (-1, -1), {}, None, time.monotonic()
    while True:
        record = consumer.poll(options.resend)
        while record is not None:
            block = None if record.error() else decode(record.value(), job)
            if block and (block.run, block.version) > newest:
                version = versions.setdefault((block.run, block.version), {})
                version[block.block] = block.values
                if len(version) == block.blocks:
                    newest, settings, had = (block.run, block.version), block.settings, micros()
                    parameters = np.concatenate([version[b] for b in range(block.blocks)])
                    versions = {v: blocks for v, blocks in versions.items() if v > newest}
            record = consumer.poll(0)
        if newest > answered:
            if settings.flags & STOP:
                return
            if worker not in settings.workers:
                continue
            if len(parameters) % (x.shape[1] + 1):
                raise SystemExit(f"a model of {len(parameters)} parameters does not fit {x.shape[1]} features")
            drawn = np.random.default_rng((worker, newest[1])).integers(len(x), size=settings.batch)
            slope, loss = gradient(parameters, x[drawn], y[drawn])
            m = np.float32(options.momentum)
            momentum = slope if momentum is None or newest[0] > answered[0] else m * momentum + (1 - m) * slope
            blocks = [momentum[i : i + BLOCK] for i in range(0, len(momentum), BLOCK)]
            times = had, micros()
            answer = b"".join(encode(*newest, worker, b, len(blocks), blocks[b], loss, times, key, shared) for b in range(len(blocks)))
            kept.with_suffix(".new").write_bytes(answer)
            os.replace(kept.with_suffix(".new"), kept)
            answered = newest
        elif newest < answered or time.monotonic() - sent < options.resend:
            continue
        for b, start in enumerate(range(0, len(answer), HEADER + 4 * BLOCK)):
            producer.produce(gradients, answer[start : start + HEADER + 4 * BLOCK], options.id, b % partitions)
        producer.flush()
        sent = time.monotonic()


def micros():
    return time.time_ns() // 1000


if __name__ == "__main__":
    main()
