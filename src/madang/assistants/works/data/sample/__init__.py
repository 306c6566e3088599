"""The sample company: invented names, figures generated from a fixed seed, the same for a month whenever it is made."""

from madang.assistants.works.data.sample.build import build_sample, sample_version

__all__ = ["build_sample", "sample_version"]
