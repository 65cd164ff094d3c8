from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviewhub", "0002_exemplars")]

    operations = []
