# FOR: (float)
def scale(x, **options):
    return x


def f(x):
    return scale(x, by=3)  #! E0313 takes '**options'

# CHECK: error[E0313]: 'scale' takes '**options', which a compiled function cannot
# CHECK:   --> tests/golden/diag/KeywordsParameter.py:7:12
# CHECK:    |
# CHECK: 7  |     return scale(x, by=3)  #! E0313 takes '**options'
# CHECK:    |            ^^^^^^^^^^^^^^
# CHECK:    = help: name the keyword parameters one by one
