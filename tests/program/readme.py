"""What somebody new types: each command of README.md and of the first hours runs and prints what stands there."""
from cli import finish
from pages import test_page

for page in ("README.md", "examples/hour_shell.md", "examples/hour_c.md"):
    test_page(page)
finish()
