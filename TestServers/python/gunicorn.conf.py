# One process, so that a test's requests meet one state.
worker_class = "gthread"
workers = 1
threads = 32
keepalive = 60
graceful_timeout = 1
control_socket_disable = True
