# FOR: (float)
def scale(x, **options):
    return x


def f(x):
    return scale(x, by=3)  #! E0313 takes '**options'
