"""Tests of the server, through real sockets."""
