from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviewhub', '0006_attempt_costs'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='validatorrule',
            name='blocking_validator_is_sure',
        ),
        migrations.AddField(
            model_name='finding',
            name='ruling',
            field=models.CharField(blank=True, choices=[('right', 'Right'), ('wrong', 'False alarm')], help_text='What a person who was asked about it made of it.', max_length=5),
        ),
        migrations.AddIndex(
            model_name='finding',
            index=models.Index(condition=models.Q(('ruling', ''), _negated=True), fields=['ruling', 'draft'], name='finding_ruled_on'),
        ),
        migrations.AddConstraint(
            model_name='finding',
            constraint=models.CheckConstraint(condition=models.Q(('ruling', ''), models.Q(('ruling__in', ['right', 'wrong']), ('status', 'FAIL')), _connector='OR'), name='finding_ruled_on_is_a_failure'),
        ),
        migrations.AddConstraint(
            model_name='validatorrule',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), ('confidence__gte', 0.6), models.Q(('validator__in', ['behaviour', 'completeness', 'contacts', 'details', 'figures', 'ids', 'json_schema', 'language', 'placeholders', 'policy', 'slots', 'status', 'text']), _negated=True), _connector='OR'), name='blocking_validator_is_sure', violation_error_message='A validator that blocks cannot be less than 0.6 sure.'),
        ),
    ]
