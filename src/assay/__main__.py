"""``assay``, and ``python -m assay``. They begin here, so that Control-C is heard while the rest is imported."""

import os
import sys


def main() -> None:
    """Run the command line: 0 done, 1 a gate failed, 2 bad input or usage, 130 interrupted, 141 no reader."""
    try:
        from assay.cli.main import run

        # Anywhere on the line, because it is an afterthought.
        words = [word for word in sys.argv[1:] if word != "--debug"]
        code = run(words, debug=len(words) < len(sys.argv) - 1)
    except KeyboardInterrupt:
        code = 130
    try:
        if code == 130:
            # A terminal shows ^C where the cursor was.
            sys.stderr.write("\nassay: interrupted.\n" if sys.stderr.isatty() else "assay: interrupted.\n")
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        # Who read it went away.
        code = code or 141
    finally:
        # After an interrupt some thread may be at work still, and nobody waits for it. Nor does anybody wait while
        # Python takes all modules apart, which is a tenth of a short command: everything is written.
        os._exit(code)


if __name__ == "__main__":
    main()
