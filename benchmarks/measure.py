"""How we measure: medians of repeated runs in one process, ratios of medians taken alternately in the same run."""

import statistics
import time


def milliseconds(function, clock=time.perf_counter):
    started = clock()
    function()
    return 1e3 * (clock() - started)


def median_ms(function, repeat=7, warm=1):
    for _ in range(warm):
        function()
    return statistics.median(milliseconds(function) for _ in range(repeat))


def alternate_ms(functions, repeat=7, warm=1, clock=time.perf_counter, pause=0.0):
    """Medians of several functions run in turn, so that a noisy moment hits them all: {name: ms}.

    With time.process_time the milliseconds are those of all threads together, which other programs disturb least. `pause`: seconds
    before each run, for the threads of the one before, which may go on looking for work for a while (those of OpenMP and OpenBLAS do).
    """
    for _ in range(warm):
        for function in functions.values():
            function()
    times = {name: [] for name in functions}
    for _ in range(repeat):
        for name, function in functions.items():
            time.sleep(pause)
            times[name].append(milliseconds(function, clock))
    return {name: statistics.median(found) for name, found in times.items()}


def per_call_ns(statement, scope, seconds=200e-6, repeat=1500):
    """Best nanoseconds of one execution of a statement, the loop's own cost included: compare like with like. Many short runs: some
    of them nothing disturbs."""
    import timeit
    timer = timeit.Timer(statement, globals=scope)
    number = max(1, int(seconds / (min(timer.repeat(10, 5)) / 5)))
    return 1e9 * min(timer.repeat(repeat, number)) / number


def markdown(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "|".join("---" for _ in heading) + "|"]
    return "\n".join(lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows])
