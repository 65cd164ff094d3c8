from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("reviewhub", "0004_decide")]

    operations = []
