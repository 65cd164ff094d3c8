import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0007_rulings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='draft',
            name='situation',
            field=models.CharField(blank=True, help_text='Which kind of letter was written; empty until a worker began.', max_length=60),
        ),
        migrations.CreateModel(
            name='RetiredLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('domain', models.CharField(max_length=30)),
                ('situation', models.CharField(max_length=60)),
                ('error_type', models.CharField(max_length=60)),
                ('slot', models.CharField(blank=True, max_length=60)),
                ('retired_at', models.DateTimeField()),
                ('queue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='retired_lines', to='reviewhub.queue')),
                ('retired_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'avoid line',
                'constraints': [models.UniqueConstraint(fields=('queue', 'domain', 'situation', 'error_type', 'slot'), name='line_is_retired_once'), models.CheckConstraint(condition=models.Q(models.Q(('error_type', ''), _negated=True), models.Q(('situation', ''), _negated=True)), name='retired_line_is_whole')],
            },
        ),
    ]
