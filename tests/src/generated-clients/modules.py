"""Imports every module of generated packages, and prints the number of them."""

import importlib
import pkgutil
import sys

count = 0
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
        count += 1
print(count)
