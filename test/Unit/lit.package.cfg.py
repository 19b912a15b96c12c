# Configures lit to run the GoogleTest programs of a package. lit writes reports beside the
# programs, and the package may be read-only, so lit gets links to the programs in another
# directory.

import os

config.attn_obj_root = lit_config.params["output"]
here = os.path.dirname(os.path.abspath(__file__))
links = os.path.join(config.attn_obj_root, "test", "Unit", "bin")
os.makedirs(links, exist_ok=True)
for name in os.listdir(os.path.join(here, "bin")):
    link = os.path.join(links, name)
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.path.join(here, "bin", name), link)

lit_config.load_config(config, os.path.join(here, "lit.cfg.py"))
