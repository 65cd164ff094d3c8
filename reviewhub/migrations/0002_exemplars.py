from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviewhub", "0001_initial")]

    operations = []
