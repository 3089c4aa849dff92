"""Captures in SQL: SQLite by default, PostgreSQL by URL. The door is `graphcap.store.captures.Store`."""
