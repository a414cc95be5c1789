"""Reading of Indico's exports: entries of both kinds of export, and their reader."""
