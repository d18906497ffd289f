#!/usr/bin/env python3
"""A robot that drives in a circle and obeys: robot_client.py unix:PATH|udp:HOST:PORT [SECONDS]"""
import json, math, socket, sys, time

kind, place = sys.argv[1].split(":", 1)
if kind == "unix":
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    link.connect(place)
else:
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.connect((place.rsplit(":", 1)[0], int(place.rsplit(":", 1)[1])))
link.settimeout(0.05)
link.send(b'{"answers":true}\n')  # every command gets an answer


def circle():
    """The way it means to take from here on: once round, or nowhere."""
    r, turns = (v / w, [i * math.pi / 6 * math.copysign(1, w) for i in range(13)]) if v * w and not by_hand else (0, [])
    return [[x + r * (math.sin(theta + a) - math.sin(theta)), y - r * (math.cos(theta + a) - math.cos(theta))]
            for a in turns]


x, y, theta, v, w, motors, by_hand, rest = 0.0, 0.0, 0.0, 0.3, 0.3, "on", False, b""
plan = circle()
end, last = time.time() + float(sys.argv[2] if len(sys.argv) > 2 else 1e9), time.time()
while time.time() < end:
    now = time.time()
    dt, last = now - last, now
    x, y, theta = x + v * dt * math.cos(theta), y + v * dt * math.sin(theta), (theta + w * dt) % (2 * math.pi)
    state = {"t_s": now, "x_m": x, "y_m": y, "theta_rad": theta, "v_mps": v, "w_radps": w,
             "motors": motors, "hand_driven": by_hand, "max_speed_mps": 0.5, "max_turn_rate_radps": 1.0, "plan": plan}
    link.send(json.dumps(state).encode() + b"\n")
    try:
        heard = link.recv(4096)  # also the pause between two states
    except socket.timeout:
        continue
    if not heard:
        break
    *lines, rest = (rest + heard).split(b"\n")
    for said in map(json.loads, lines):
        print(json.dumps(said), flush=True)
        command = said.get("command")
        if command is None:  # an error
            continue
        if command == "goal" and max(abs(said["x_m"]), abs(said["y_m"])) > 100:
            refusal = {"refused": said["number"], "reason": "my circle is not that large", "kind": "cannot_get_there"}
            link.send(json.dumps(refusal).encode() + b"\n")
            continue
        if command == "action":  # of a mission, where it stands: here nothing takes time
            link.send(json.dumps({"done": said["number"]}).encode() + b"\n")
            continue
        link.send(json.dumps({"accepted": said["number"]}).encode() + b"\n")
        v, w = {"drive": (said.get("v_mps", 0), said.get("w_radps", 0)), "goal": (0.3, 0.3)}.get(command, (0, 0))
        by_hand = command == "drive" and said.get("reason") != "timeout"
        motors = "stopped" if command == "stop" else "on"
        plan = circle()
