import Glibc

extension PCMFault {
  /// Fault of a state; nil if a stream works in it.
  init?(_ state: ALSAState) {
    switch state {
    case .usable: return nil
    case .xrun: self = .xrun
    case .suspended: self = .suspended
    case .disconnected: self = .unplugged
    }
  }

  /// Fault of a call that failed with `error`; nil if the call would only have had to wait.
  init?(error: Int32, _ state: ALSAState) {
    switch (error, state) {
    case (_, .disconnected): self = .unplugged
    case (EAGAIN, _), (EINTR, _): return nil
    case (EPIPE, _): self = .xrun
    case (ESTRPIPE, _): self = .suspended
    case (ENODEV, _), (ENXIO, _), (ENOTTY, _), (ECONNREFUSED, _), (ECONNRESET, _), (ENOTCONN, _): self = .unplugged
    // A call in the wrong state: the state is the reason.
    case (EBADFD, .xrun): self = .xrun
    case (EBADFD, .suspended): self = .suspended
    default: self = .failed(error)
    }
  }
}
