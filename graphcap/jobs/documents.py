"""A capture that was made elsewhere: checked as what a capture process says, then kept. Nothing of it is run."""

from __future__ import annotations

import hashlib

import msgspec

from graphcap.errors import UserError
from graphcap.graph.check import MAX_WORDS
from graphcap.graph.codec import DocumentError, encode
from graphcap.graph.document import RUN_STAGES, GraphDocument, Options, Stage, Target
from graphcap.graph.package import CaptureFile, messages, unpack
from graphcap.graph.stream import Found, Message, frame
from graphcap.intake.names import safe_path
from graphcap.intake.options import decode_options
from graphcap.intake.submission import Submission, SubmittedFile
from graphcap.jobs.messages import Conversation, MessageLimits
from graphcap.settings import MIB, Settings
from graphcap.store.captures import UNKNOWN, Store
from graphcap.store.records import Created, Sender
from graphcap.store.uploads import Uploaded

MAX_FILES = 1_000
ELSEWHERE = "captured in its sender's own environment and uploaded"
"""What is added to how a target was found: this server saw none of it happen."""


def take_document(data: bytes, store: Store, settings: Settings, sender: Sender = UNKNOWN) -> Created:
    """Keeps the capture in a `.graphcap` file as a capture of its own, ended. Raises UserError("bad-document")."""
    try:
        capture = unpack(data, settings.result_mib * MIB)
        return store.keep_uploaded(_checked(capture, data, settings), sender=sender)
    except DocumentError as error:
        raise UserError(
            "bad-document",
            "This is no capture that can be kept",
            f"{str(error)[:2000]}.",
            "Send a file that `graphcap capture` of the same version has written.",
        ) from None


def _checked(capture: CaptureFile, data: bytes, settings: Settings) -> Uploaded:
    document = capture.document
    if len(document.log.encode(errors="replace")) > settings.log_kib * 1024 or document.log_cut < 0:
        raise DocumentError(f"its log is longer than {settings.log_kib} KiB")
    if not 0 <= capture.seconds < 1e9:
        raise DocumentError("it took a time that can not be")
    submission = _submission(capture, data, settings)
    talk = Conversation(submission.options, MessageLimits(settings.message_mib * MIB, settings.stage_nodes))
    said: list[Message] = []
    for message in messages(capture):
        said += talk.feed(frame(_marked(message)))
    if len(encode(msgspec.structs.replace(document, targets=(), files=(), log=""))) > 2 * MAX_WORDS:
        raise DocumentError("its failures are too long")
    missing = tuple(
        (target, Stage(stage, "skipped", reason="it was not captured")) for target, stage in talk.in_state("queued")
    )
    sizes = tuple(file.size for file in document.files)
    return Uploaded(submission, sizes, tuple(said), missing, talk.failures, document.log, document.log_cut, capture.seconds)


def _marked(message: Message) -> Message:
    if not isinstance(message, Found):
        return message
    return Found(tuple(_elsewhere(target) for target in message.targets))


def _elsewhere(target: Target) -> Target:
    if target.rule.endswith(ELSEWHERE):
        return target
    return msgspec.structs.replace(target, rule=f"{target.rule}; {ELSEWHERE}" if target.rule else ELSEWHERE)


def _submission(capture: CaptureFile, data: bytes, settings: Settings) -> Submission:
    """What was captured, as far as the document has it: the text of code, the names of the rest."""
    files = capture.document.files
    if not 1 <= len(files) <= MAX_FILES or len({file.name for file in files}) < len(files):
        raise DocumentError(f"it has {len(files)} files, or two of one name")
    for file in files:
        text = len((file.text or "").encode(errors="replace"))
        if safe_path(file.name) != file.name:
            raise DocumentError(f"{file.name[:80]!r} is no name of a file")
        if text > settings.code_kib * 1024 or not text <= file.size < 1 << 50:
            raise DocumentError(f"{file.name} has a size that can not be, or more text than {settings.code_kib} KiB")
    kept = tuple(SubmittedFile(file.name, (file.text or "").encode(errors="replace")) for file in files)
    return Submission(kept, capture.kind, files[0].name, _options(capture.document), hashlib.sha256(data).hexdigest())


def _options(document: GraphDocument) -> Options:
    """Those of the document, checked as a person's are; of a log, with its own stages."""
    stages = document.options.stages
    asked = tuple(stage for stage in stages if stage in RUN_STAGES) or RUN_STAGES
    try:
        checked = decode_options(encode(msgspec.structs.replace(document.options, stages=asked)))
    except UserError as error:
        raise DocumentError(f"{error.title}: {error.detail}") from None
    return msgspec.structs.replace(checked, stages=tuple(dict.fromkeys(stages)) or asked)
