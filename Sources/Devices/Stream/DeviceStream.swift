import AudioGraph
import Synchronization

/// Keeps a chosen device open in one direction.
///
///     chosen device ──unplugged──▶ default device, or none ──plugged in──▶ chosen device
///
/// While the chosen device is gone, the default one takes its place. The stream tries the chosen one again at each
/// change of the system's devices, and now and then, for some devices come without notice.
///
/// Thread: the device thread, except `takeEvents`.
final class DeviceStream: ServicedStream, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `events` and `hasEvents` are for all threads; everything else belongs to the device
  // thread once the stream runs, and to the control thread before and after.

  private static let retryNanoseconds = 1_000_000_000
  /// An opening takes milliseconds, and delays the service of the device in use.
  private static let fallbackRetryNanoseconds = 10_000_000_000
  private static let idleWakeNanoseconds = 10_000_000

  private let host: any DeviceHost
  /// Name of the chosen device.
  let chosen: String
  private let direction: AudioDirection
  private let request: PCMRequest
  private let fallsBack: Bool
  private let transfer: any StreamTransfer
  /// Figures; the transfer and the node hold pointers to them.
  private let figures: RenderState<StreamProgress>
  private let progress: UnsafeMutablePointer<StreamProgress>

  private var pcm: (any PCM)?
  private var isFallback = false
  private var seenChanges = 0
  private var nextTry = 0
  /// Time of the next wake-up while no device is open, in nanoseconds.
  private var idleWake = 0
  private var hasFailed = false
  /// Whether the chosen device has been lost.
  private var hasLost = false
  private let events = Guarded<[DeviceEvent]>([])
  private let hasEvents = Atomic<Bool>(false)

  init(
    host: any DeviceHost, deviceID: String, direction: AudioDirection, request: PCMRequest, fallsBack: Bool,
    transfer: any StreamTransfer, figures: RenderState<StreamProgress>
  ) {
    self.host = host
    chosen = deviceID
    self.direction = direction
    self.request = request
    self.fallsBack = fallsBack
    self.transfer = transfer
    self.figures = figures
    progress = figures.pointer
  }

  /// Opens the chosen device for the first time. Thread: control, before the stream runs.
  ///
  /// - Throws: The reason why it cannot be opened; nothing takes its place then.
  func open() throws(DeviceError) {
    seenChanges = host.changeCount
    let opened = try host.open(chosen, direction, request)
    do {
      try start(opened, isFallback: false)
    } catch {
      opened.close()
      throw DeviceError(.failed, "the device '\(chosen)' cannot be started (\(error)); try another device")
    }
  }

  /// Takes the events since the previous call, in their order. Thread: any.
  func takeEvents() -> [DeviceEvent] {
    guard hasEvents.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  func service() {
    let now = host.clock.nowNanoseconds
    idleWake = now + Self.idleWakeNanoseconds
    let changes = host.changeCount
    let mayTry = changes != seenChanges || now >= nextTry
    if mayTry {
      seenChanges = changes
      nextTry = now + retryInterval
    }
    if mayTry, pcm == nil || isFallback { reopen() }
    guard let pcm else { return transfer.end() }
    do {
      try transfer.move(pcm)
    } catch {
      recover(pcm, from: error)
    }
  }

  func wait() {
    if let pcm {
      pcm.wait(atMostMilliseconds: 100)
    } else {
      host.clock.wait(untilNanoseconds: host.clock.nowNanoseconds + Self.idleWakeNanoseconds)
    }
  }

  var nextWakeNanoseconds: Int { pcm?.nextWakeNanoseconds ?? idleWake }

  /// Closes the device. Thread: control, once the stream does not run any more.
  func close() {
    pcm?.close()
    pcm = nil
    transfer.end()
  }

  private func recover(_ open: any PCM, from fault: PCMFault) {
    if fault == .xrun || fault == .suspended {
      progress.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
      do {
        try open.recover(from: fault)
        return try transfer.begin(open, isNew: false)
      } catch {}
    }
    open.close()
    pcm = nil
    transfer.end()
    hasLost = true
    post(.unplugged(id: open.device.id))
    reopen()
  }

  /// Opens the chosen device, or else the default one.
  private func reopen() {
    let error: DeviceError
    do {
      return try replace(with: try host.open(chosen, direction, request), isFallback: false)
    } catch let reason {
      error = reason
    }
    guard pcm == nil else { return }
    if fallsBack, chosen != "default", let opened = try? host.open("default", direction, request) {
      do {
        return try replace(with: opened, isFallback: true)
      } catch {}
    }
    if !hasFailed { post(.failed(error)) }
    hasFailed = true
  }

  /// Starts a device, and closes the one that had its place.
  private func replace(with opened: any PCM, isFallback: Bool) throws(DeviceError) {
    let old = pcm
    do {
      try start(opened, isFallback: isFallback)
      old?.close()
    } catch {
      opened.close()
      // The transfer has begun with the new device, and does not fit the old one.
      if let old {
        old.close()
        pcm = nil
      }
      transfer.end()
      throw DeviceError(.failed, "the device '\(opened.device.id)' cannot be started (\(error)); try another device")
    }
  }

  private func start(_ opened: any PCM, isFallback: Bool) throws(PCMFault) {
    try transfer.begin(opened, isNew: true)
    if !isFallback, hasLost { post(.plugged(id: chosen)) }
    hasLost = isFallback
    pcm = opened
    self.isFallback = isFallback
    hasFailed = false
    nextTry = host.clock.nowNanoseconds + retryInterval
    progress.pointee.opened.wrappingAdd(1, ordering: .relaxed)
    progress.pointee.sampleRate.store(opened.format.sampleRate, ordering: .relaxed)
    post(.opened(opened.device))
  }

  private var retryInterval: Int { isFallback && pcm != nil ? Self.fallbackRetryNanoseconds : Self.retryNanoseconds }

  private func post(_ event: DeviceEvent) {
    events.withLock { $0.append(event) }
    hasEvents.store(true, ordering: .releasing)
  }
}
