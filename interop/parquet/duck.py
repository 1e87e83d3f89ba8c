"""Runs SQL with DuckDB in the folder of an export, and prints the rows of each statement as JSON.

duck.py FOLDER < SQL, statements separated by ";"
"""
import json, os, sys
import duckdb

os.chdir(sys.argv[1])
con = duckdb.connect()
con.execute("SET TimeZone = 'UTC'")
for statement in sys.stdin.read().split(";"):
    if statement.strip():
        print(json.dumps(con.execute(statement).fetchall(), default=str))
