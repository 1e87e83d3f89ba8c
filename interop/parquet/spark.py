"""Runs SQL with Spark, on a cluster of two workers, each a process of its own. Each table of the export is a
view. Prints the rows of each statement as JSON, then the number of executors that ran a task.

spark.py FOLDER < SQL, statements separated by ";"
"""
import json, os, sys, tempfile
import pyspark
from pyspark.sql import SparkSession

os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = sys.executable
work = tempfile.mkdtemp()
spark = (SparkSession.builder.master("local-cluster[2,1,600]").appName("quire")
         .config("spark.executor.memory", "500m").config("spark.ui.enabled", "false")
         .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
         .config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "1")
         .config("spark.ui.showConsoleProgress", "false").config("spark.local.dir", work).config("spark.sql.warehouse.dir", work)
         .getOrCreate())
spark.sparkContext.setLogLevel("ERROR")
for name in os.listdir(sys.argv[1]):
    folder = os.path.join(sys.argv[1], name)
    if os.path.isdir(folder):
        spark.read.parquet(folder).createOrReplaceTempView(name)
for statement in sys.stdin.read().split(";"):
    if statement.strip():
        rows = spark.sql(statement).collect()
        print(json.dumps([list(r) for r in rows], default=str), flush=True)
hosts = (spark.sparkContext.parallelize(range(16), 4)
         .map(lambda _: __import__("os").getppid()).distinct().count())
print(json.dumps([[hosts]]), flush=True)
spark.stop()
