# python3 check_dice.py KEY PHASES_BACK CONTEXT DICE SIDES
import hashlib, hmac, sys
key, back, context, count, sides = bytes.fromhex(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
for _ in range(back): key = hashlib.sha256(key).digest()
print("the key before it:", hashlib.sha256(key).hexdigest())
rolls, block = [], 0
while len(rolls) < count:
    for byte in hmac.new(key, f"{context}:{block}".encode(), hashlib.sha256).digest():
        if byte < 256 - 256 % sides and len(rolls) < count: rolls.append(byte % sides + 1)
    block += 1
print("dice:", *rolls)
