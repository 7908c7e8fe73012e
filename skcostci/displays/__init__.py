"""Pictures of numbers already computed."""
