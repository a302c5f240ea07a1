"""Computes gradients of a user's module for one learner of a Levee job, runs its train(), or reads its data().

Requests come on standard input and replies leave on standard output, a line each, words percent-encoded. Arrays are in
memory that both processes map. What the user's code prints goes to standard error, which the job logs. The process ends
as soon as its standard input does, whatever it is doing.
"""
import os
import sys

control_in = os.fdopen(os.dup(0), "rb")
control_out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

if sys.version_info < (3, 8):
    control_out.write(b"levee interpreter is%20Python%20" + sys.version.split()[0].encode("ascii"))
    control_out.write(b",%20and%203.8%20or%20newer%20is%20needed\n")
    control_out.flush()
    sys.exit(1)

import inspect
import io
import linecache
import mmap
import platform
import queue
import random
import select
import struct
import threading
import traceback
import types
from urllib.parse import quote, unquote


OUT_OF_MEMORY = ("t allocate memory", "out of memory", "bad_alloc")
ARGUMENTS = {
    "loss": ("outputs", "targets"),
    "evaluate": ("module", "inputs", "targets"),
    "train": ("module", "data", "settings"),
    "data": ("id", "of"),
}
THREADS = 64  # mebibytes for stacks; PyTorch waits for ever for a thread that cannot be started
SHOWN = 20  # lines of a traceback in the report; all of it is in the log
MOST_TOLD = 1000  # characters of an exception, and of a line of its traceback


class Refused(Exception):
    """Says of the user's file in one sentence why nothing can be computed."""


class Unfit(Exception):
    """Says the same of the interpreter."""


class RoundData:
    """A participant's samples of one round: batches of inputs and targets, or all of them as two tensors."""

    def __init__(self, inputs, targets, batch_size):
        self.inputs, self.targets, self.batch_size = inputs, targets, batch_size

    def __len__(self):
        return -(-len(self.inputs) // self.batch_size)

    def __iter__(self):
        for at in range(0, len(self.inputs), self.batch_size):
            yield self.inputs[at : at + self.batch_size], self.targets[at : at + self.batch_size]


class Mapped:
    """An array in memory that both processes map, as the tensors of the model."""

    def __init__(self, torch, array, like):
        parts = array.split([tensor.numel() for tensor in like])
        self.torch, self.views = torch, [part.view(tensor.shape) for part, tensor in zip(parts, like)]

    def read(self, tensors):
        """Makes the module's tensors those in this array, or copies of them on another device."""
        for view, tensor in zip(self.views, tensors):
            if tensor.device.type != "cpu":
                tensor.data.copy_(view)
            elif tensor.data_ptr() != view.data_ptr():  # at first, or where the user's code has put something else
                tensor.data = view

    def write(self, tensors):
        for view, tensor in zip(self.views, tensors):
            if tensor.data_ptr() != view.data_ptr():
                view.copy_(tensor)


class MappedOnGpu(Mapped):
    """All tensors of such an array on a GPU. They move at once, because each transfer has a cost of its own."""

    def __init__(self, torch, array, like, device):
        self.array, self.near = array, torch.empty_like(array, device=device)
        super().__init__(torch, self.near, like)

    def read(self, tensors):
        self.near.copy_(self.array, non_blocking=True)
        self.copy([tensor.data for tensor in tensors], self.views)

    def write(self, tensors):
        self.copy(self.views, tensors)
        self.array.copy_(self.near)

    def copy(self, into, of):
        if hasattr(self.torch, "_foreach_copy_"):  # since 2.1
            self.torch._foreach_copy_(into, of)
            return
        for each, source in zip(into, of):
            each.copy_(source)


class Participant:
    def __init__(self):
        self.path = self.file = ""
        self.on_processor = False
        self.pinned = {}

    def start(self, path, seed, threads, memory, device, turn):
        """Loads PyTorch for the file at this path, and says where it computes if that is a GPU."""
        try:
            import torch
        except ImportError as e:
            raise Unfit("has no PyTorch that can be imported: %s" % e)
        if not hasattr(torch, "frombuffer"):
            raise Unfit("has PyTorch %s, and 1.10 or newer is needed" % torch.__version__)
        self.limit(int(memory))
        self.torch = torch
        self.path, self.file = path, os.path.basename(path)
        self.device = self.found(device, int(turn))
        torch.set_num_threads(int(threads))
        try:
            torch.use_deterministic_algorithms(True, warn_only=True)
        except TypeError:  # before 1.11, which only knows how to refuse
            pass
        self.seed(int(seed))
        return [] if self.device is None else [self.where]

    def execute(self, source):
        """Executes the user's file."""
        self.space = self.executed(source)
        return []

    @staticmethod
    def limit(mebibytes):
        """Makes allocations beyond so much memory fail, in this process rather than in the whole machine."""
        if mebibytes == 0:
            return
        if not sys.platform.startswith("linux"):
            raise Unfit("runs on %s, where its memory cannot be limited" % sys.platform)
        import resource

        with open("/proc/self/status") as file:
            taken = int(next(line for line in file if line.startswith("VmData:")).split()[1]) >> 10
        if mebibytes < taken + THREADS:
            raise Unfit("needs at least %d MiB with PyTorch, and memory=%d is less" % (taken + THREADS, mebibytes))
        resource.setrlimit(resource.RLIMIT_DATA, (mebibytes << 20, mebibytes << 20))

    def found(self, device, turn):
        """The GPU of this interpreter, the next one in turn unless it is named; None for the processor."""
        if device == "cpu":
            return None
        cuda = self.torch.cuda
        count = cuda.device_count() if cuda.is_available() else 0
        if count == 0:
            raise Unfit("has PyTorch %s, which finds no GPU for --device %s" % (self.torch.__version__, device))
        index = int(device[5:]) if device.startswith("cuda:") else turn % count
        if index >= count:
            raise Unfit("finds %d GPUs, and none for --device %s" % (count, device))
        free, total = cuda.mem_get_info(index)
        self.gpu, self.gpu_total = index, total
        self.where = "on cuda:%d, where %.1f of %.1f GiB are free" % (index, free / 2**30, total / 2**30)
        return self.torch.device("cuda", index)

    def gpu_memory(self):
        """What PyTorch has taken of the GPU in this process, at its most."""
        cuda = self.torch.cuda
        taken = [cuda.max_memory_allocated(self.gpu), cuda.max_memory_reserved(self.gpu)]
        said = [platform.node(), self.gpu, cuda.get_device_name(self.gpu), self.gpu_total]
        return [str(word) for word in said + taken]

    def open(self, make, shape, loss, targets, outputs, own_loss):
        self.shape = tuple(int(extent) for extent in shape.split(","))
        self.loss_name, _, self.delta = loss.partition(":")
        self.targets, self.outputs = int(targets), int(outputs)
        space = self.space
        self.module = self.made(make)
        if self.device is not None:
            self.module.to(self.device)
        self.own_loss = None if own_loss == "unused" else self.function(space, "loss")
        self.own_evaluate = self.function(space, "evaluate")
        self.own_train = self.function(space, "train")
        if own_loss == "needed" and self.own_loss is None:
            raise Refused("has no loss(outputs, targets), which --loss module needs")
        self.collect()
        words = []
        for tensors, kind in ((self.trained, "trained"), (self.buffers, "buffer")):
            for name, tensor in tensors:
                words += [name, kind, ",".join(str(extent) for extent in tensor.shape)]
        return words

    def executed(self, source):
        """What the user's file defines, as a module of its own."""
        folder = os.path.dirname(os.path.abspath(self.path))
        if os.path.isdir(folder):
            sys.path.insert(0, folder)
        module = types.ModuleType("levee_model")
        module.__file__ = self.path
        sys.modules["levee_model"] = module
        linecache.cache[self.path] = (len(source), None, source.splitlines(True), self.path)
        try:
            exec(compile(source, self.path, "exec"), module.__dict__)
        except BaseException as e:
            raise Refused("cannot be run: %s" % self.told(e))
        return module.__dict__

    def made(self, make):
        """The module, or what the class or function of this name makes; a class may be inside another."""
        nn = self.torch.nn
        model = sys.modules["levee_model"]
        for name in make.split("."):
            model = getattr(model, name, None)
        if callable(model) and not isinstance(model, nn.Module):
            try:
                model = model()
            except BaseException as e:
                raise Refused("has a %s() that raises %s" % (make, self.told(e)))
        if not isinstance(model, nn.Module):
            raise Refused("has no %s(), a class or function that makes a torch.nn.Module" % make)
        return model

    @staticmethod
    def function(space, name):
        found = space.get(name)
        if not callable(found) or isinstance(found, type):
            return None
        if getattr(found, "__module__", None) == "levee.commands":  # a program may import levee.train
            return None
        try:
            inspect.signature(found).bind(*ARGUMENTS[name])
        except TypeError:
            raise Refused("has a %s that does not take (%s)" % (name, ", ".join(ARGUMENTS[name])))
        except ValueError:  # of a function that is not in Python
            pass
        return found

    def collect(self):
        """Sorts the module's tensors: trained, those that travel along, and those that stay."""
        torch = self.torch
        self.trained, self.buffers, self.others = [], [], []
        seen = set()
        for name, tensor in self.module.state_dict(keep_vars=True).items():
            if not isinstance(tensor, torch.Tensor) or id(tensor) in seen:
                continue
            seen.add(id(tensor))
            if tensor.requires_grad and tensor.dtype != torch.float32:
                raise Refused("has a parameter %s of %s, and only float32 is trained" % (name, tensor.dtype))
            if tensor.requires_grad:
                self.trained.append((name, tensor))
            elif tensor.dtype == torch.float32:
                self.buffers.append((name, tensor))
            else:
                self.restore(tensor)
        for tensor in self.module.buffers():  # also those that state_dict leaves out
            if id(tensor) not in seen:
                self.restore(tensor)
        self.places, self.named = [], self.tensors_by_name()
        for module in self.module.modules():
            for kind in ("_modules", "_parameters", "_buffers"):
                held = dict(getattr(module, kind).items())
                if held:
                    self.places.append((module, kind, held, identities(held)))
        if not self.trained:
            raise Refused("has a module without parameters to train")
        self.on_processor = all(tensor.device.type == "cpu" for _, tensor in self.trained + self.buffers)

    def tensors_by_name(self):
        """The tensors that the module has now. One that is shared is there under each of its names."""
        found = {}
        for path, module in self.module.named_modules(remove_duplicate=False):
            for held in (module._parameters, module._buffers):
                found.update((path + "." * bool(path) + name, tensor) for name, tensor in held.items())
        return found

    def restore(self, tensor):
        """Has each batch start with these values. Nobody can write to an expanded tensor in place."""
        if all(stride > 0 or size <= 1 for stride, size in zip(tensor.stride(), tensor.shape)):
            self.others.append((tensor, tensor.clone()))

    def map(self, what, path, size):
        with open(path, "r+b") as file:
            memory = mmap.mmap(file.fileno(), int(size))
        if self.device is not None:
            self.pin(what, self.torch.frombuffer(memory, dtype=self.torch.uint8))
        if what in ("batch", "state", "samples"):
            setattr(self, what, memory)
        elif what == "gradient":
            self.gradients = self.mapped(memory)
        else:
            self.values = self.mapped(memory)
        return []

    def mapped(self, memory):
        array = self.torch.frombuffer(memory, dtype=self.torch.float32)
        if self.device is None:
            return Mapped(self.torch, array, self.held())
        return MappedOnGpu(self.torch, array, self.held(), self.device)

    def pin(self, what, memory):
        """Lets the GPU copy mapped memory by itself, which is faster where the driver can do it."""
        runtime = self.torch.cuda.cudart()
        before = self.pinned.pop(what, None)
        if before is not None:
            runtime.cudaHostUnregister(before.data_ptr())
        if int(runtime.cudaHostRegister(memory.data_ptr(), memory.numel(), 0)) == 0:
            self.pinned[what] = memory
            return
        try:
            self.torch.zeros(1, device=self.device).add_(1)
        except RuntimeError:
            pass  # the first operation after a refusal reports it

    def held(self):
        return [tensor for _, tensor in self.trained + self.buffers]

    def initial(self):
        with self.torch.no_grad():
            self.values.write(self.held())
        return []

    def load(self):
        for module, kind, first, _ in self.replaced():
            held = getattr(module, kind)
            back = {name: each for name, each in first.items() if each is not None}
            if hasattr(held, "clear"):  # a scripted module neither adds nor removes any
                # Puts back what was there first, in that order, and keeps what was added.
                whole = {**first, **held, **back}
                held.clear()
                held.update(whole)
            for name, each in back.items():
                setattr(module, name, each)  # a recurrent module has a list of its own, too
        self.values.read(self.held())
        for tensor, first in self.others:
            tensor.data.copy_(first)

    def replaced(self):
        """Where the user's code has assigned another tensor or module, or added or removed one."""
        return [each for each in self.places if identities(getattr(each[0], each[1])) != each[3]]

    def settle(self, travelling):
        """Copies tensors that the user's code has assigned into those that travel along."""
        if not self.replaced():
            return
        held = {id(tensor) for _, tensor in travelling}
        now, moved = self.tensors_by_name(), []
        for name, tensor in self.named.items():
            assigned = now.get(name)
            if assigned is tensor or id(tensor) not in held:
                continue
            if assigned is not None and assigned.shape == tensor.shape:
                moved.append((tensor, assigned.clone()))  # it may be another of those that travel along
            elif isinstance(tensor, self.torch.nn.Parameter):
                shape = "nothing" if assigned is None else "one of shape %s" % (tuple(assigned.shape),)
                raise ValueError("parameter %s of shape %s was replaced by %s" % (name, tuple(tensor.shape), shape))
        for tensor, assigned in moved:
            tensor.data.copy_(assigned)

    def written(self):
        """How often trained tensors were written to, which are others' parameters, too."""
        return sum(tensor._version for _, tensor in self.trained)

    def samples_of(self, size):
        """A batch's inputs and what they are answered with."""
        torch = self.torch
        count = size
        for extent in self.shape:
            count *= extent
        inputs = torch.frombuffer(self.batch, dtype=torch.float32, count=count).view((size,) + self.shape)
        at = (4 * count + 7) // 8 * 8
        if self.targets:
            answers = torch.frombuffer(self.batch, dtype=torch.float32, count=size * self.targets, offset=at)
            answers = answers.view(size, self.targets)
        else:
            answers = torch.frombuffer(self.batch, dtype=torch.int64, count=size, offset=at)
        device = self.trained[0][1].device
        inputs, answers = inputs.to(device, non_blocking=True), answers.to(device, non_blocking=True)
        return inputs, answers, at + 8 * size * max(1, self.targets)

    def seed(self, seed):
        if self.on_processor and not self.torch.cuda.is_initialized():
            # What manual_seed does besides is to note the seed for devices that nobody has, a hundred times as long.
            self.torch.default_generator.manual_seed(seed)
        else:
            self.torch.manual_seed(seed)
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed & 0xFFFFFFFF)

    def fits(self, outputs, size):
        shape = tuple(getattr(outputs, "shape", ()))
        return shape == (size, self.outputs) or self.outputs == 1 and shape == (size,)

    def loss(self, outputs, answers, size):
        if self.own_loss is not None:
            value = self.own_loss(outputs, answers)
            if not isinstance(value, self.torch.Tensor) or value.numel() != 1:
                raise ValueError("loss(outputs, targets) gives no tensor of one number, the mean over the batch")
            return value.reshape(())
        if not self.fits(outputs, size):
            raise ValueError(
                "%d samples have outputs of shape %s instead of %s"
                % (size, tuple(getattr(outputs, "shape", ())), (size, self.outputs))
            )
        functional = self.torch.nn.functional
        if self.loss_name == "cross-entropy":
            return functional.cross_entropy(outputs, answers)
        outputs = outputs.view(size, self.outputs)
        answers = answers.view(size, self.outputs).to(outputs.dtype)
        if self.loss_name == "bce":
            return functional.binary_cross_entropy_with_logits(outputs, answers)
        if self.loss_name == "mse":
            return functional.mse_loss(outputs, answers)
        if self.loss_name == "mae":
            return functional.l1_loss(outputs, answers)
        return functional.huber_loss(outputs, answers, delta=float(self.delta))

    def attempt(self):
        """Tries one sample of zeros; whether what comes out is what the task's scores are made of."""
        torch = self.torch
        inputs = torch.zeros((1,) + self.shape)
        answers = torch.zeros((1, self.targets)) if self.targets else torch.zeros(1, dtype=torch.int64)
        device = self.trained[0][1].device
        inputs, answers = inputs.to(device), answers.to(device)
        self.module.eval()
        try:
            made = outputs = self.outputs_of(inputs, answers)
            if not self.own_train:  # a loop of its own may leave gradients to another library
                with torch.enable_grad():
                    made = self.module(inputs)
        except BaseException as e:
            raise Refused("does not take a batch of shape %s: %s" % (tuple(inputs.shape), self.told(e)))
        if self.own_loss is None and not self.fits(made, 1):
            each = "target" if self.targets else "class" if self.loss_name == "cross-entropy" else ""
            raise Refused(
                "maps one sample to values of shape %s instead of %s%s"
                % (tuple(getattr(made, "shape", ())), (1, self.outputs), each and ", a value for each " + each)
            )
        try:
            loss = self.loss(made, answers, 1)
            if not self.own_train:
                loss.backward()
        except BaseException as e:
            raise Refused("has no %s: %s" % ("loss" if self.own_train else "gradient of its loss", self.told(e)))
        if self.own_evaluate is not None:
            try:
                with torch.no_grad():
                    self.loss(outputs, answers, 1)
            except BaseException as e:
                raise Refused("has no loss of what its evaluate returns: %s" % self.told(e))
        return ["scored" if self.fits(outputs, 1) else "unscored", "loop" if self.own_train else "steps"]

    def gradient(self, seed, size):
        size = int(size)
        self.load()
        before = self.written()
        inputs, answers, _ = self.samples_of(size)
        self.module.train()
        self.seed(int(seed))
        for _, tensor in self.trained:
            tensor.grad = None
        with self.torch.enable_grad():
            loss = self.loss(self.module(inputs), answers, size)
            loss.backward()
        with self.torch.no_grad():
            self.settle(self.buffers)
            made = [self.gradient_of(tensor) for _, tensor in self.trained]
            self.gradients.write(made + [tensor for _, tensor in self.buffers])
        return [bits(loss.item()), str(self.written() - before)]

    def gradient_of(self, tensor):
        if tensor.grad is None:
            return self.torch.zeros_like(tensor)
        return tensor.grad.to_dense() if tensor.grad.is_sparse else tensor.grad

    def train(self, participant, iteration, rate, seed, steps, size, samples, state):
        """A round of the participant by the user's own loop, which leaves its parameters where they were read."""
        torch = self.torch
        self.load()
        inputs, answers, _ = self.samples_of(int(samples))
        before = io.BytesIO(self.state[: int(state)]) if int(state) else None
        settings = types.SimpleNamespace(
            participant=int(participant),
            round=int(iteration),
            learning_rate=float(rate),
            steps=int(steps),
            batch_size=int(size),
            seed=int(seed) & 0xFFFFFFFF,  # NumPy and scikit-learn refuse others
            state={} if before is None else self.unpacked(before),
        )
        self.module.train()
        self.seed(int(seed))
        for _, tensor in self.trained:
            tensor.grad = None
        with torch.enable_grad():
            loss = self.own_train(self.module, RoundData(inputs, answers, int(size)), settings)
        with torch.no_grad():
            self.settle(self.trained + self.buffers)
            self.values.write(self.held())
        for _, tensor in self.trained:
            tensor.grad = None
        self.pending = b""
        if settings.state:
            after = io.BytesIO()
            torch.save(settings.state, after)
            self.pending = after.getvalue()
        return [bits(float("nan") if loss is None else float(loss)), str(len(self.pending))]

    def unpacked(self, state):
        """What train() kept, which may be more than tensors. Those of a GPU come to the module's device."""
        from torch.serialization import default_restore_location

        device = str(self.trained[0][1].device)

        def place(storage, where):
            return storage if where == "cpu" else default_restore_location(storage, device)

        try:
            return self.torch.load(state, map_location=place, weights_only=False)
        except TypeError:  # before 1.13, which knows only this
            state.seek(0)
            return self.torch.load(state, map_location=place)

    def keep(self):
        """Hands over what train() left in settings.state."""
        self.state[: len(self.pending)] = self.pending
        self.pending = b""
        return []

    def read(self, participant, of):
        """Reads what data() gives to one participant, or for evaluation, and tells its size."""
        data = self.function(self.space, "data")
        if data is None:
            raise Refused("has no data(id, of)")
        whose = participant if participant == "test" else int(participant)
        call = "data(%r, %s)" % (whose, of)
        self.seed(0 if participant == "test" else whose + 1)
        try:
            inputs, answers = self.tensors(data(whose, int(of)), call)
        except Refused:
            raise
        except BaseException as e:
            raise Refused("has a %s that raises %s" % (call, self.told(e)))
        torch = self.torch
        if inputs.dim() == 0 or len(inputs) == 0 or len(inputs) != len(answers):
            raise Refused("has a %s of %s inputs and %s targets" % (call, tuple(inputs.shape), tuple(answers.shape)))
        inputs = inputs.detach().reshape(len(inputs), -1) if inputs.dim() == 1 else inputs.detach()
        numbers = answers.is_floating_point()
        if not numbers and answers.dim() != 1:
            raise Refused("has a %s with classes of shape %s instead of one a sample" % (call, tuple(answers.shape)))
        targets = answers.detach().reshape(len(answers), -1) if numbers else answers.detach()
        self.pending = (inputs.to("cpu", torch.float32), targets.to("cpu", torch.float32 if numbers else torch.int64))
        shape = ",".join(str(extent) for extent in inputs.shape[1:])
        return [str(len(inputs)), shape, str(targets.shape[1] if numbers else 0)]

    def classes(self):
        """How many classes the file says there are, 0 if it does not."""
        return [str(int(self.space.get("classes", 0)))]

    def tensors(self, given, call):
        """Inputs and targets of all samples: two arrays, or a data set of pairs."""
        torch = self.torch
        if isinstance(given, tuple) and len(given) == 2:
            return torch.as_tensor(given[0]), torch.as_tensor(given[1])
        if not (hasattr(given, "__getitem__") and hasattr(given, "__len__")):
            raise Refused("has a %s that is no tuple of two arrays and no torch Dataset with a length" % call)
        pairs = [given[i] for i in range(len(given))]
        inputs = torch.stack([torch.as_tensor(pair[0]) for pair in pairs])
        return inputs, torch.stack([torch.as_tensor(pair[1]) for pair in pairs])

    def fill(self):
        """Hands over the samples that were read."""
        at = 0
        for tensor in self.pending:
            view = self.torch.frombuffer(self.samples, dtype=tensor.dtype, count=tensor.numel(), offset=at)
            view.view(tensor.shape).copy_(tensor)
            at = (at + 4 * tensor.numel() + 7) // 8 * 8
        self.pending = b""
        return []

    def outputs_of(self, inputs, answers):
        with self.torch.no_grad():
            if self.own_evaluate is not None:
                return self.own_evaluate(self.module, inputs, answers)
            return self.module(inputs)

    def evaluate(self, size, scored):
        size = int(size)
        self.load()
        before = self.written()
        inputs, answers, at = self.samples_of(size)
        self.module.eval()
        self.seed(0)
        outputs = self.outputs_of(inputs, answers)
        with self.torch.no_grad():
            loss = self.loss(outputs, answers, size)
            if scored == "scored":
                if not self.fits(outputs, size):
                    raise ValueError("evaluated outputs have the shape %s" % (tuple(outputs.shape),))
                count = size * self.outputs
                view = self.torch.frombuffer(self.batch, dtype=self.torch.float32, count=count, offset=at)
                view.view(outputs.shape).copy_(outputs)
        return [bits(loss.item()), str(self.written() - before)]

    def told(self, error):
        """An exception, cut, and the line of the user's file that it came through last."""
        return cut(traceback.format_exception_only(type(error), error)[-1].strip()) + self.place(error)

    def place(self, error):
        if isinstance(error, SyntaxError) and error.filename == self.path:
            return " (%s, line %d)" % (self.file, error.lineno)
        frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename == self.path]
        return " (%s, line %d)" % (self.file, frames[-1].lineno) if frames else ""

    def failed(self, error):
        """What a report says of an exception: its last line, what is equal in all of its kind, and the traceback."""
        since = error.__traceback__
        while since is not None and since.tb_frame.f_code.co_filename != self.path:
            since = since.tb_next
        lines = "".join(traceback.format_exception(type(error), error, since)).rstrip().split("\n")
        shown = lines if len(lines) <= SHOWN else ["..."] + lines[-SHOWN:]
        return [self.told(error), type(error).__name__ + self.place(error), "\n".join(cut(line) for line in shown)]


def identities(held):
    return list(zip(held.keys(), map(id, held.values())))


def cut(line):
    return line if len(line) <= MOST_TOLD else line[:MOST_TOLD] + "..."


def bits(number):
    return struct.pack(">d", number).hex()


def watch():
    """Ends the process as soon as nobody can ask it anything any more."""
    poll = select.poll()
    poll.register(control_in, 0)  # says nothing of requests, which the other thread reads
    poll.poll()
    os._exit(0)


def read(requests):
    for line in control_in:
        requests.put(line)
    os._exit(0)


def requests():
    """The lines that come, read by this thread where another one can see their end."""
    if hasattr(select, "poll"):
        threading.Thread(target=watch, daemon=True).start()
        return control_in
    lines = queue.Queue()
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    return iter(lines.get, None)


def out_of_memory(error):
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(said in str(error) for said in OUT_OF_MEMORY)
    )


def answer(participant, words):
    try:
        return ["ok"] + getattr(participant, words[0])(*words[1:])
    except Refused as e:
        return ["refused", str(e)]
    except Unfit as e:
        return ["interpreter", str(e)]
    except BaseException as e:
        traceback.print_exc()
        return ["memory", participant.told(e)] if out_of_memory(e) else ["failed"] + participant.failed(e)


def main():
    participant = Participant()
    for line in requests():
        words = [unquote(word) for word in line.decode("ascii").rstrip("\n").split(" ")]
        reply = [quote(word, safe="", errors="replace") for word in answer(participant, words)]
        sys.stdout.flush()
        sys.stderr.flush()
        control_out.write((" ".join(["levee"] + reply) + "\n").encode("ascii"))
        control_out.flush()


main()
