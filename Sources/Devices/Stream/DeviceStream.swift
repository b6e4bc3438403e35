import AudioGraph
import Synchronization

/// Keeps a chosen device open in one direction.
///
///     chosen device ──unplugged──▶ default device, or none ──plugged in──▶ chosen device
///
/// Thread: the device thread, except `takeEvents`.
final class DeviceStream: ServicedStream, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): `events` and `hasEvents` are for all threads; everything else belongs to the device
  // thread once the stream runs, and to the control thread before and after.

  private static let idleWakeNanoseconds = 10_000_000

  /// System that the device belongs to.
  var host: any DeviceHost { search.host }
  /// Name of the chosen device.
  var chosen: String { search.chosen }
  private var search: DeviceSearch
  private let transfer: any StreamTransfer
  /// Figures; the transfer and the node hold pointers to them.
  private let figures: RenderState<StreamProgress>
  private let progress: UnsafeMutablePointer<StreamProgress>

  private var pcm: (any PCM)?
  private var isFallback = false
  private var stallWatch = StallWatch()
  /// Time of the next wake-up while no device is open, in nanoseconds.
  private var idleWake = 0
  /// Whether the chosen device has been lost.
  private var hasLost = false
  /// Whether the device is closed for now. Relaxed: it stands for itself.
  private let isPaused = Atomic<Bool>(false)
  private var wasPaused = false
  private let events = Guarded<[DeviceEvent]>([])
  private let hasEvents = Atomic<Bool>(false)

  init(
    host: any DeviceHost, deviceID: String, direction: AudioDirection, request: PCMRequest, fallsBack: Bool,
    transfer: any StreamTransfer, figures: RenderState<StreamProgress>
  ) {
    search = DeviceSearch(host, deviceID, direction, request, fallsBack: fallsBack)
    self.transfer = transfer
    self.figures = figures
    progress = figures.pointer
  }

  /// Opens the chosen device for the first time. Thread: control, before the stream runs.
  ///
  /// - Throws: The reason why it cannot be opened; nothing takes its place then.
  func open() throws(DeviceError) { try replace(with: try search.open(), isFallback: false) }

  /// Takes the events since the previous call, in their order. Thread: any.
  func takeEvents() -> [DeviceEvent] {
    guard hasEvents.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  /// Closes the device for now, or opens it again. Thread: any; counts from the next wake-up.
  func setPaused(_ isPaused: Bool) { self.isPaused.store(isPaused, ordering: .relaxed) }

  func service() {
    let now = host.clock.nowNanoseconds
    idleWake = now + Self.idleWakeNanoseconds
    guard !isPaused.load(ordering: .relaxed) else { return pause() }
    if wasPaused {
      wasPaused = false
      search.restart()
    }
    lookForDevice(now)
    guard let pcm else { return transfer.end() }
    do {
      note(stallWatch.observe(hasMoved: try transfer.move(pcm), atNanoseconds: now), of: pcm)
    } catch {
      recover(pcm, from: error, now)
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
    search.end()
    pcm?.close()
    pcm = nil
    transfer.end()
  }

  private func pause() {
    guard !wasPaused else { return }
    wasPaused = true
    search.end()
    transfer.end()
    hasLost = false
    guard let pcm else { return }
    pcm.close()
    self.pcm = nil
    post(.closed(id: pcm.device.id))
  }

  private func recover(_ open: any PCM, from fault: PCMFault, _ now: Int) {
    if fault == .xrun || fault == .suspended {
      if fault == .suspended {
        note(stallWatch.stall(), of: open)
      } else {
        progress.pointee.xruns.wrappingAdd(1, ordering: .relaxed)
      }
      do {
        try open.recover(from: fault)
        return try transfer.begin(open, isNew: false)
      } catch .suspended {
        return  // The next wake-up tries again.
      } catch {}
    }
    open.close()
    pcm = nil
    transfer.end()
    hasLost = true
    progress.pointee.lost.wrappingAdd(1, ordering: .relaxed)
    post(.unplugged(id: open.device.id))
    search.restart()
    lookForDevice(now)
  }

  private func note(_ change: StallWatch.Change?, of pcm: any PCM) {
    switch change {
    case .stalled: post(.interrupted(id: pcm.device.id))
    case .moved: post(.resumed(id: pcm.device.id))
    case nil: break
    }
  }

  private func lookForDevice(_ now: Int) {
    while let found = search.find(instead: pcm == nil ? .none : isFallback ? .fallback : .chosen, now) {
      do {
        try replace(with: found.pcm, isFallback: found.isFallback)
      } catch {
        search.refuse(error, isFallback: found.isFallback, now)
      }
    }
    if pcm == nil, let error = search.takeFailure(now) { post(.failed(error)) }
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
      old?.close()
      pcm = nil
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
    stallWatch = StallWatch()
    search.accept(isFallback: isFallback, host.clock.nowNanoseconds)
    progress.pointee.opened.wrappingAdd(1, ordering: .relaxed)
    progress.pointee.sampleRate.store(opened.format.sampleRate, ordering: .relaxed)
    post(.opened(opened.device))
  }

  private func post(_ event: DeviceEvent) {
    events.withLock { $0.append(event) }
    hasEvents.store(true, ordering: .releasing)
  }
}
