import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0003_rules'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AddedFact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('pay_by', 'Pay-by date'), ('promise', 'Promise by phone'), ('attachment', 'Attachment')], max_length=12)),
                ('value', models.JSONField()),
                ('known_from', models.CharField(help_text='Where the person knows it from, in their words.', max_length=300)),
                ('added_at', models.DateTimeField()),
                ('idempotency_key', models.CharField(max_length=64, unique=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('end_reason', models.CharField(blank=True, choices=[('replaced', 'replaced by another'), ('withdrawn', 'taken back'), ('imported', 'the imported facts hold it themselves now'), ('other_date', 'the imported facts give another pay-by date'), ('passed', 'its day had passed when new facts came'), ('line_gone', 'its line is not in the new facts'), ('other_line', 'the imported facts tie this attachment to another line'), ('no_room', 'the imported facts hold as many of its kind as a case may have')], max_length=12)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='attempt',
            name='rendered_from',
            field=models.ForeignKey(blank=True, help_text='The output whose prose this is, rendered and verified again on newer facts; empty for an output.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='reviewhub.attempt'),
        ),
        migrations.AddField(
            model_name='decision',
            name='overridden',
            field=models.BooleanField(default=False, help_text='A lead approved over failing checks: neither learnt from nor exported.'),
        ),
        migrations.AddField(
            model_name='decision',
            name='override_reason',
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name='finding',
            name='overridden_by',
            field=models.ForeignKey(blank=True, help_text='The approval of a lead who held it for a false alarm.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='overrides', to='reviewhub.decision'),
        ),
        migrations.AlterField(
            model_name='decision',
            name='facts_confirmed',
            field=models.BooleanField(default=False, help_text='The facts were older than the queue allows, and whoever decided said that they hold.'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('overridden', False), ('override_reason', '')), models.Q(('overridden', True), models.Q(('override_reason', ''), _negated=True), models.Q(('verdict', 'declined'), _negated=True)), _connector='OR'), name='decision_overridden_with_reason'),
        ),
        migrations.AddConstraint(
            model_name='finding',
            constraint=models.CheckConstraint(condition=models.Q(('overridden_by__isnull', True), ('status', 'FAIL'), _connector='OR'), name='finding_overridden_is_a_failure'),
        ),
        migrations.AddField(
            model_name='addedfact',
            name='added_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='addedfact',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='added_facts', to='reviewhub.case'),
        ),
        migrations.AddField(
            model_name='addedfact',
            name='ended_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='addedfact',
            name='sheet',
            field=models.ForeignKey(help_text='The first version that holds it.', on_delete=django.db.models.deletion.CASCADE, related_name='added', to='reviewhub.factsheet'),
        ),
        migrations.AddConstraint(
            model_name='addedfact',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['pay_by', 'promise', 'attachment'])), name='added_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='addedfact',
            constraint=models.CheckConstraint(condition=models.Q(('known_from', ''), _negated=True), name='added_known_from_somewhere'),
        ),
        migrations.AddConstraint(
            model_name='addedfact',
            constraint=models.CheckConstraint(condition=models.Q(('idempotency_key', ''), _negated=True), name='added_has_key'),
        ),
        migrations.AddConstraint(
            model_name='addedfact',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end_reason', ''), ('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('end_reason__in', ['replaced', 'withdrawn', 'imported', 'other_date', 'passed', 'line_gone', 'other_line', 'no_room']), ('ended_at__isnull', False)), _connector='OR'), name='added_ends_with_reason'),
        ),
        migrations.AddConstraint(
            model_name='addedfact',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True), ('kind', 'pay_by')), fields=('case',), name='one_pay_by_stands'),
        ),
    ]
