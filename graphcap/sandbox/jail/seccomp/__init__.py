"""The system calls a job may make: `install.install(...)`. Deny by default."""
