"""How the tables came to be, one file per change in `versions`. Run by `graphcap.store.database.migrate`."""
