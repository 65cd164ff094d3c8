"""Test the product from outside: real databases, brokers, browsers and models."""
