# python3 check_root.py SECRET SIDE=WORDS ...   (a side that put in nothing: SIDE=)
import hashlib, sys
secret, sides = sys.argv[1].lower(), [one.split("=", 1) for one in sys.argv[2:]]
sha = lambda text: hashlib.sha256(text.encode()).hexdigest()
print("bound by:", sha("fieldpost secret\n" + secret))
said = sorted(side + " " + sha(words) for side, words in sides)
for kind in ("open", "secret"):
    key = hashlib.sha256("\n".join(["fieldpost dice", kind, secret, *said]).encode()).digest()
    for _ in range(4096): key = hashlib.sha256(key).digest()
    print("head of the", kind, "chain:", key.hex())
