"""Runs the commands of README.md as they are written, in an empty folder where `build` is the build.

Only what would take long or never end is changed, by the rules below. A command that no rule knows how to end must end
by itself. `make` commands are looked up, not run: this test is one of them. The program's own help is held to its
examples by `Program.EveryExampleItShowsWorks`.
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD = sys.argv[1:3]
TIME_LIMIT_S = 240

# command → what is added so that it ends, and disturbs nobody
ENDINGS = {
    "demo": "--for-s 1 --no-open --page-port 0",
    "view": "--for-s 1 --no-open --page-port 0",
    "serve": "--for-s 1 --listen 127.0.0.1:0",
    "relay": "--for-s 1 --listen 127.0.0.1:0",
    "impair": "--for-s 1",
    "bench-fanout": "--duration-s 1",
    "bench-relay": "--duration-s 1",
    "study link": "--duration-s 60",
    "study office": "--scenario one-goal.yaml",
    "study sending": "--scenario one-goal.yaml",
    "study all": "--only sensitivity",
}
# what is made smaller, and what stands for something of the reader's own
CHANGES = [
    (r"--runs \d+", "--runs 1"),
    (r"--watchers \d+", "--watchers 20"),
    (r"--browsers \d+", "--browsers 20"),
    (r"--listen 127\.0\.0\.1:\d+", "--listen 127.0.0.1:0"),
    (r"robot\.example:", "127.0.0.1:"),
    (r"\bKEY\b", "$(build/forerun keys show)"),
    (r" --tls-cert \S+ --tls-key \S+", ""),
]
MAP = "type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n"
SCENARIOS = "version 1\n0\tarena.map\t3\t3\t0\t0\t2\t0\t2\n"
ONE_GOAL = """name: one goal
world: bonn-office
robot: rhino
start: [0.6, 1.25, 0]
goals:
  - {at: [11.3, 5.0], wait_s: 5}
"""
FITTED_ROWS = 1000  # of a drive log, 40 s: fitting drives of minutes would take a minute


def commands_of(text):
    """The lines of all `sh` blocks, without remarks."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line:
                yield line


def runnable(line):
    words = line.split()
    if words[1] == "fit":
        return re.sub(r"(\w+)\.csv", r"\1-begin.csv", line)
    name = next((n for n in (" ".join(words[1:3]), words[1]) if n in ENDINGS), None)
    for pattern, replacement in CHANGES:
        line = re.sub(pattern, replacement, line)
    if name:
        # an option that the line already has stays as written
        for option in re.findall(r"--[a-z-]+(?: [^-\s]\S*)?", ENDINGS[name]):
            if option.split()[0] not in line.split():
                line += " " + option
    return line


def targets_of_make():
    with open(os.path.join(SOURCE, "Makefile")) as file:
        return set(re.findall(r"^([a-z-]+):", file.read(), re.M))


def run(line, folder, environment):
    try:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S, text=True)
    except subprocess.TimeoutExpired:
        return f"does not end within {TIME_LIMIT_S} s"
    return None if done.returncode == 0 else f"ends with {done.returncode}:\n{done.stdout[-1000:]}"


def write_begins(folder):
    """Beside each drive log the beginning of it."""
    for name in os.listdir(folder):
        if not name.endswith(".csv") or name.endswith("-begin.csv"):
            continue
        with open(os.path.join(folder, name)) as whole, \
             open(os.path.join(folder, name[:-4] + "-begin.csv"), "w") as begin:
            begin.writelines(itertools.islice(whole, FITTED_ROWS))


def check_self():
    """A wrong option must be seen, or the test is worth nothing."""
    assert list(commands_of("```sh\na b   # c\n# d\ne \\\n f\n```\n")) == ["a b", "e   f"]
    assert runnable("build/forerun demo --loss 0.6").endswith("--loss 0.6 --for-s 1 --no-open --page-port 0")
    assert runnable("build/forerun study log a.csv --runs 20") == "build/forerun study log a.csv --runs 1"
    assert runnable("forerun fit a.csv --test b.csv") == "forerun fit a-begin.csv --test b-begin.csv"


def main():
    check_self()
    with open(os.path.join(SOURCE, "README.md")) as file:
        lines = list(commands_of(file.read()))
    folder = tempfile.mkdtemp()
    environment = {"HOME": folder, "PATH": folder + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    os.symlink(BUILD, os.path.join(folder, "build"))
    os.symlink(os.path.join(BUILD, "forerun"), os.path.join(folder, "forerun"))
    for name, text in (("arena.map", MAP), ("arena.map.scen", SCENARIOS), ("one-goal.yaml", ONE_GOAL)):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    faults, n_run = [], 0
    try:
        run("build/forerun keys new", folder, environment)
        assert run("build/forerun sim --no-such-option", folder, environment)
        for line in lines:
            if line.startswith("make "):
                unknown = [word for word in line.split()[1:] if "=" not in word and word not in targets_of_make()]
                faults += [f"{line}: the Makefile has no {word}" for word in unknown]
            elif line.startswith(("build/forerun", "forerun")):
                # there is a key already, for commands further up that name one
                command = runnable(line) + (" --force" if line.endswith("keys new") else "")
                fault = run(command, folder, environment)
                write_begins(folder)
                n_run += 1
                print(("FAILED  " if fault else "ok      ") + command, flush=True)
                if fault:
                    faults.append(f"{line}\n  run as: {command}\n  {fault}")
    finally:
        shutil.rmtree(folder)
    print("\n".join(faults))
    if n_run < 10:
        faults.append(f"only {n_run} commands were found")
    return 1 if faults else 0


sys.exit(main())
