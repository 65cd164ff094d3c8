from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviewhub", "0003_rules")]

    operations = []
