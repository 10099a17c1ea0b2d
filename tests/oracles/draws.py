"""Random draws, slow and obvious: Philox4x32-10 (Salmon et al., 2011) on Python's whole numbers."""

import math

MASK = 2**32 - 1


def philox(counter, key):
    first, second, third, fourth = counter
    low, high = key
    for _ in range(10):
        one, other = 0xD2511F53 * first, 0xCD9E8D57 * third
        first, second, third, fourth = (
            (other >> 32) ^ second ^ low,
            other & MASK,
            (one >> 32) ^ fourth ^ high,
            one & MASK,
        )
        low, high = (low + 0x9E3779B9) & MASK, (high + 0xBB67AE85) & MASK
    return first, second, third, fourth


def text_key(text):
    data, low, high = text.encode(), 0, 0
    for block in range(0, len(data), 8):
        word = int.from_bytes(data[block : block + 8].ljust(8, b"\0"), "little")
        low, high, *_ = philox((low ^ word & MASK, high ^ word >> 32, block // 8, len(data)), (0, 0))
    return high << 32 | low


def stream(seed, name):
    return seed, text_key(name) & MASK


def words(seed, name, key, block, used):
    return philox((block, key & MASK, key >> 32, used), stream(seed, name))


def poisson(uniform):
    """The count up to which a Poisson variable of mean 1 lies with a chance of more than ``uniform`` in 2^32."""
    count, below = 0, math.exp(-1)
    while uniform >= round(2**32 * below):
        count += 1
        below += math.exp(-1) / math.factorial(count)
    return count


def count(seed, name, key, draw):
    return poisson(words(seed, name, key, draw // 4, 0)[draw % 4])


def swapped(seed, name, key, draw):
    return words(seed, name, key, draw // 128, 1)[draw // 32 % 4] >> draw % 32 & 1


def order(seed, name, key, draw):
    low, high, *_ = words(seed, name, key, draw, 2)
    return high << 32 | low
