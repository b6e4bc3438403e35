import CALSA

/// State of a PCM, as far as it tells one fault from another.
enum ALSAState: Hashable, Sendable {
  case usable
  case xrun
  case suspended
  case disconnected

  init(_ state: snd_pcm_state_t) {
    switch state {
    case SND_PCM_STATE_XRUN: self = .xrun
    case SND_PCM_STATE_SUSPENDED: self = .suspended
    case SND_PCM_STATE_DISCONNECTED: self = .disconnected
    default: self = .usable
    }
  }
}
