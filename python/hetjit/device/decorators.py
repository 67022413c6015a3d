"""`@device.kernel`, `@device.func` and `device.launch`."""

import copyreg
import operator
import os
import sys
import types

from hetjit import _core
from hetjit._core import launch
from hetjit.device import limits, settings
from hetjit.errors import DeviceError

# The options, with what they may be.
_OPTIONS = {"interop": bool, "fastmath": bool, "contract": bool, "portable_math": bool, "name": str, "check": str, "cache": bool, "debug": str,
            **dict.fromkeys(limits.NAMES)}  # which limits.of() looks at
# What other packages have options for.
_OTHERS = {"device": ". Functions that kernels call need no decorator, or device.func", "fast_math": ": write fastmath=True",
           "parallel": ". A kernel is parallel: all its threads run at once", "nopython": ". It is always compiled whole: leave the option out",
           "link": ". What is linked stands where it is declared: device.extern(name, signature, link=…) or device.cxx(file)",
           "inline": ". What is called becomes part of the kernel where it is small: leave the option out"}
# What an option that is a text may be.
_TEXTS = {"check": '"bounds", "race", "init", "arith", "assert", "warp" or "all", several with commas between', "debug": '"lines"', "name": "the entry's symbol"}
# What kernels of other packages have, and what there is in its place.
_ELSEWHERE = {"inspect_llvm": 'device.emit({0}, signature, "cuda:sm_90", "llvm")', "inspect_asm": 'device.emit({0}, signature, "cuda:sm_90")',
              "inspect_ptx": 'device.emit({0}, signature, "cuda:sm_90")', "asm": 'device.emit({0}, signature, "cuda:sm_90")',
              "inspect_sass": "python -m hetjit show program.py:{0} --phase sass", "inspect_types": "python -m hetjit show program.py:{0}",
              "py_func": "{0}.underlying", "fn": "{0}.underlying", "func": "{0}.underlying", "overloads": "{0}.signatures",
              "specialize": "{0}.precompile([signature])", "warmup": "{0}.precompile([signature])", "recompile": "the next launch, which sees what has changed",
              "configure": "{0}[grid, block, stream, shared]", "launch": "{0}[grid, block](...)", "run": "{0}[grid, block](...)",
              "get_regs_per_thread": "{0}.registers", "num_regs": "{0}.registers", "n_regs": "{0}.registers",
              "max_cooperative_grid_blocks": "{0}.occupancy(block)"}
_COPIED = ("__module__", "__name__", "__qualname__", "__doc__")


class _Imports:
    """What compilations and launches will ask for: the first decorator imports it, and a fork waits for that. In the child
    nobody could ever import a module that another thread was in the middle of importing."""

    modules = ("hetjit.library", "hetjit.messages", "hetjit.errors", "hetjit.lenders", "hetjit.sources",
               *(["annotationlib"] if sys.version_info >= (3, 14) else []))
    begun = done = False

    @classmethod
    def finish(cls):
        if not cls.done:
            cls.begun = True
            for name in cls.modules:
                __import__(name)
            cls.done = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lambda: _Imports.begun and _Imports.finish())


def _of_the_function(name):
    """An attribute that is the function's own: what is compiled is the function, so setting it must change that."""
    return property(lambda self: getattr(self.underlying, name), lambda self, value: setattr(self.underlying, name, value))


def _few(texts, most=3):
    """Some of the texts for a repr, and how many there are beside."""
    more = len(texts) - most
    return "; ".join(texts[:most]) + (f"; and {more} more" if more > 0 else "")


def _other_sizes(value):
    """What to write in place of a size that is no int."""
    if isinstance(value, float):
        return ": write int(n); '//' divides to an int"
    if isinstance(value, (tuple, list)):
        return ": threads of several axes are launched by grid and block, kernel[(4, 4), (16, 16)](…)"
    return ": how many threads, then the arguments: kernel.forall(len(x))(x), and a kernel asks 'if i < len(x)', as it may start more"


class _Elsewhere:
    """An attribute that kernels of another package have and ours do not: asking for it says what there is in its place. A __getattr__ for all of
    them would cost every attribute that a kernel does have, `k.forall` for one, some 30 ns."""

    def __init__(self, name, instead):
        self.name, self.instead = name, instead

    def __get__(self, kernel, owner=None):
        kind = "func" if issubclass(owner, Function) else "kernel"
        here = kernel.__name__ if kernel is not None else "kernel"
        raise AttributeError(f"a device.{kind} has no attribute '{self.name}': write {self.instead.format(here)}", name=self.name, obj=kernel)


class _Launchable(_core.Kernel):
    """What both decorators return. `f[grid, block, stream, shared, cooperative, cluster, priority, programmatic](…)` launches, of which
    the first two must be there; `underlying` is the function itself."""

    __code__, __defaults__, __kwdefaults__ = map(_of_the_function, ("__code__", "__defaults__", "__kwdefaults__"))

    def __new__(cls, function, options=None, on=None):
        _Imports.finish()
        options = dict(options or {})
        made = super().__new__(cls, function, cache=options.get("cache", True), device_function=cls is Function, on=on, **settings.of(options))
        made.options = options
        for name in _COPIED:
            setattr(made, name, getattr(function, name))
        made.__wrapped__ = function
        made._on = on
        made._elsewhere = {}
        return made

    def on(self, device):
        """The same function, always run on the device of that name. Raises ValueError for a name that is none."""
        if not isinstance(device, str):
            raise TypeError(f"{self.__name__}.on(device): a device's name is a str, not {type(device).__name__}")
        if device not in self._elsewhere:
            self._elsewhere[device] = type(self)(self.underlying, self.options, device)
        return self._elsewhere[device]

    def __dir__(self):
        return [name for name in super().__dir__() if name not in _ELSEWHERE]

    def _forall(self, n, block, stream, shared):
        """forall() of numbers that are no plain ints, or say that nothing is to be done, or are wrong."""
        for name, value in (("n", n), ("block", block)):
            if not hasattr(value, "__index__") or getattr(value, "ndim", 0):
                raise TypeError(f"{self.__name__}.forall(): {name} is an int, not {type(value).__name__}"
                                f"{_other_sizes(value) if name == 'n' else ''}")
        n, block = operator.index(n), operator.index(block)
        if block < 1:
            raise ValueError(f"{self.__name__}.forall(block={block}): a block has at least one thread")
        if n < 0:
            raise ValueError(f"{self.__name__}.forall({n}): the number of threads cannot be negative")
        if n == 0:
            return _launch_nothing
        return self[(n + block - 1) // block, block, stream, shared]

    @property
    def registers(self):
        """Registers of a thread, as the driver of the GPU tells where the kernel was launched last. There is no such attribute (AttributeError)
        before the first launch, nor where it ran on what has none to count. Raises DeviceError where the driver does not tell."""
        try:
            return _core.registers(self)
        except RuntimeError as error:
            if isinstance(error, DeviceError) and error.reason != "unsupported":
                raise  # the driver failed
            raise AttributeError(str(error), name="registers", obj=self) from None

    def occupancy(self, block, *, shared=0):
        """Blocks of that shape, each with `shared` bytes of dynamic shared memory, that a multiprocessor of that GPU holds at a time.
        Raises RuntimeError before the first launch, DeviceError where it ran on what has no multiprocessors, and ValueError for a block that could
        not be launched."""
        return _core.occupancy(self, (1, block, None, shared))

    def compile(self, signature, *, target="cpu:native", kind=None):
        """The function for C++ to call, as an `Export`: an `extern "C"` function, or of a kernel a `__global__` one. It must be decorated
        with `interop=True`.

        signature: a tuple of types, or its text: `(device.float32x3, int)`. target: "cpu:native", "cuda:sm_90", "hip:gfx942", ….
        kind: "object", "bitcode", "llvm" or "asm"; for NVIDIA "cubin" (which nvlink takes), "ptx", "bitcode" or "llvm". By default
        what the target's linker takes. Needs clang 22.

        Raises TypeError without `interop=True`, ValueError for a kind, a target or a type that there is not, CompileError where the function
        is wrong.
        """
        from hetjit.device import exports
        return exports.export(self, signature, target, kind)

    def __repr__(self):
        code, signatures = self.__code__, self.signatures
        names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
        said = [f"{name}={value!r}" for name, value in self.options.items()]
        said += [f"on {self._on}"] if self._on else []
        said += [f"{len(signatures)} signature{'s' * (len(signatures) > 1)} compiled: {_few(signatures)}"] if signatures else []
        return f"<device.{'func' if self.device_function else 'kernel'} {self.__module__}.{self.__qualname__}({', '.join(names)})" \
               f"{''.join(f', {one}' for one in said)}>"

    def __reduce__(self):
        from hetjit.device import pickling
        return pickling.reduced(self, sys._getframe(1).f_globals)


for _name, _instead in _ELSEWHERE.items():
    setattr(_Launchable, _name, _Elsewhere(_name, _instead))


class Explanation(str):
    """The text that Kernel.explain() returns."""

    __slots__ = ()
    __repr__ = str.__str__


class Kernel(_Launchable):
    """A function that runs on a device for every thread of a grid; it returns None."""

    def explain(self, /, *args, target=None, **kwargs):
        """How a launch with these arguments, or with ones of these types, would run, as an `Explanation`: a str that a prompt shows as it
        prints. Nothing is launched, and only types count: `k.explain(device.float32[::1], 3)`.

        Each access of memory is uniform (one place for all threads side by side), contiguous, strided (with the stride in
        bytes) or a gather or scatter; each branch and loop uniform or divergent. Then how the kernel runs, and why; and where
        integers become floats that may not hold them. `target=` is "cpu:native", "cuda:sm_90", "hip:gfx942", …; without it
        the arguments decide, as at a launch. (A parameter that is itself called `target` is given by position.)
        """
        if target is not None and not isinstance(target, str):
            raise TypeError(f"{self.__name__}.explain(target=...): a target's name is a str, not {type(target).__name__}")
        return Explanation(_core.explain(self, args, kwargs, target))

    def precompile(self, signatures, /, targets=None, *, progress=None):
        """Compiles the kernel for each signature and target at once, in threads, and returns when all are done. Nothing is launched or
        loaded; launches find what was compiled, in this process and those after it.

        signatures: a list of tuples, each of types ((device.float32[::1], int): a contiguous array and an int; numbers and constant
        arguments are given as values) or of arguments as a launch would have them. targets: "cpu:native", "cuda:sm_90", or several;
        by default that of the device where a launch would go. progress: called with (done, of how many); True or False: whether a
        bar is shown, by default where somebody looks.

        Raises CompileError when one fails, an ExceptionGroup when several do; the others are compiled all the same. TypeError for what
        is no signature, ValueError for a target that there is not.
        """
        from hetjit.device import compiling
        compiling.all_of(self, signatures, targets, progress)

    def compile_async(self, /, *args, target=None, **kwargs):
        """Compiles the kernel for arguments, or for their types, in a thread: a concurrent.futures.Future whose result is the kernel. A
        launch that comes before it is done waits for it, and does not compile again."""
        from hetjit.device import compiling
        return compiling.asynchronously(self, args, kwargs, target)

    def as_torch_op(self, name):
        """The kernel as PyTorch's operator "library::name": `op[grid, block](x, y)` launches on PyTorch's current stream, and `torch.compile` takes
        it into its graphs. What it says to mutate is what the kernel stores to. Its arguments are tensors and numbers, all by position; one with
        other types is an operator of its own, `library::name__2`, and so is one of a kernel that is defined again. Raises ValueError for a name that
        is none or another operator's, ModuleNotFoundError without PyTorch."""
        from hetjit.device import torch_ops
        return torch_ops.operator_of(self, name)

    def __call__(self, *args, **kwargs):
        raise TypeError(f"{self.__name__} is a kernel: launch it with {self.__name__}[grid, block](...) or "
                        f"device.launch({self.__name__}, ..., grid=..., block=...)")


class Function(_Launchable):
    """A function for device code; on the host it is the plain Python function that it was made of."""

    def __call__(self, *args, **kwargs):
        return self.underlying(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else self.underlying.__get__(instance, owner)


def _launch_nothing(*args, **kwargs):
    pass


def _reduced_bound(bound):
    if bound.stream is not None:
        raise TypeError(f"{bound!r} is bound to a stream, which is one process's own: pickle {bound.kernel.__name__}, and bind it where it is launched")
    return operator.getitem, (bound.kernel, (bound.grid, bound.block, None, bound.shared, bound.cooperative, bound.cluster, bound.priority, bound.programmatic))


copyreg.pickle(_core.Bound, _reduced_bound)


def _checked(decorator, options):
    for name, value in options.items():
        if name not in _OPTIONS:
            raise TypeError(f"device.{decorator}() has no option '{name}'; its options are {', '.join(_OPTIONS)}{_OTHERS.get(name, '')}")
        if _OPTIONS[name] and not isinstance(value, _OPTIONS[name]):
            raise TypeError(f"device.{decorator}({name}={value!r}): a {_OPTIONS[name].__name__} is needed, "
                            f"not {type(value).__name__}{f': {_TEXTS[name]}' if name in _TEXTS else ''}")
    limits.of(decorator, options)
    if options.get("debug", "") not in ("", "lines"):
        raise ValueError(f"device.{decorator}(debug={options['debug']!r}): it may be \"lines\"")
    return options


def _described(given):
    """What was decorated in place of a function, and what to do."""
    if isinstance(given, (staticmethod, classmethod)):
        kind = type(given).__name__
        remedy = "write @staticmethod above @device.kernel" if kind == "staticmethod" else "a kernel gets no class: write it outside, and pass what it needs"
        return f"a {kind}: {remedy}"
    if isinstance(given, type):
        return f"the class {given.__name__}: decorate functions, or make it a @device.struct"
    if isinstance(given, (int, float)):
        return f"{given!r}: the sizes of grid and block are the launch's, kernel[grid, block](…)"
    if isinstance(given, types.BuiltinFunctionType):
        return f"the builtin {given.__name__}: write a function that calls it"
    if hasattr(given, "__wrapped__"):
        return f"a {type(given).__qualname__}: leave the other decorator out"
    return f"a {type(given).__qualname__}: write def"


def _decorate(cls, decorator, function, options):
    options = _checked(decorator, options)
    if isinstance(function, (str, list, tuple)):
        raise TypeError(f"device.{decorator}() takes no signature: write @device.{decorator}, and each launch compiles for the types of its "
                        f"arguments; hints may say them, as in x: device.float32[:]")
    if function is None:
        return lambda function: _decorate(cls, decorator, function, options)
    if isinstance(function, _Launchable):
        raise TypeError(f"{function.__name__} is decorated already; a function is a kernel or a device function, not both"
                        + (f": with other options it is device.{decorator}(…)({function.__name__}.underlying)" if options else ": leave one decorator out"))
    if not isinstance(function, types.FunctionType):
        raise TypeError(f"only a Python function can be compiled, not {_described(function)}")
    return cls(function, options)


def kernel(function=None, /, **options):
    """Makes a kernel of a function: `@device.kernel` or `@device.kernel(contract=False)`.

    Options: `contract=False` forbids fused multiply-add; `fastmath=True` allows approximation and reassociation;
    `portable_math=True` takes hetjit's own math functions on GPUs too, which give the host's bits; `name=` is the entry's
    symbol; `interop=True` keeps what `compile()` needs; `check="bounds"`, "race", "arith", "warp", "all" or several with commas between makes
    the kernel watch itself; `cache=False` keeps it out of the cache on disk. `launch_bounds=256`, or (256, 2), promises a GPU that a
    block has at most 256 threads, and asks that a multiprocessor hold 2 such blocks; `max_registers=` is the most that a thread may
    have there; on the CPU neither means anything. `debug="lines"` tells debuggers, profilers and messages of faults which line each
    instruction came from, and changes none. Nothing is compiled before the first launch.

    Raises TypeError for an option that there is not, ValueError for one that may not be what it is said to be.
    """
    return _decorate(Kernel, "kernel", function, options)


def func(function=None, /, **options):
    """Makes a device function: compiled when device code calls it, plain Python when the host does. Options and errors are kernel()'s."""
    return _decorate(Function, "func", function, options)
