import Platform

/// The opening of a device beside the device thread: a sound server that hangs keeps its callers waiting.
///
/// A simulated device is opened at once. Thread: the device thread.
final class DeviceOpening: Sendable {
  // SAFETY (@unchecked Sendable): the opened device belongs to the thread that takes it.
  private enum State: @unchecked Sendable {
    case running
    case opened(any PCM)
    case failed(DeviceError)
    /// Nobody waits for the device.
    case abandoned
  }

  private let state: Guarded<State>

  /// Begins to open a device.
  init(_ host: any DeviceHost, _ id: String, _ direction: AudioDirection, _ request: PCMRequest) {
    let state = Guarded(State.running)
    self.state = state
    let open = { @Sendable in
      let result: State
      do throws(DeviceError) {
        result = .opened(try host.open(id, direction, request))
      } catch {
        result = .failed(error)
      }
      let isAbandoned = state.withLock { state in
        if case .abandoned = state { return true }
        state = result
        return false
      }
      if isAbandoned, case .opened(let pcm) = result { pcm.close() }
    }
    if !host.isSimulated, let thread = try? BackgroundThread(named: "device opening", open) {
      thread.detach()
    } else {
      open()
    }
  }

  /// Takes the device, or the reason why it cannot be opened, once; nil while the opening lasts.
  func take() -> Result<any PCM, DeviceError>? {
    state.withLock { state in
      switch state {
      case .running, .abandoned: return nil
      case .opened(let pcm):
        state = .abandoned
        return .success(pcm)
      case .failed(let error):
        state = .abandoned
        return .failure(error)
      }
    }
  }

  /// Closes the device, now or once it is open.
  func abandon() {
    if case .success(let pcm) = take() { return pcm.close() }
    state.withLock { $0 = .abandoned }
  }
}
