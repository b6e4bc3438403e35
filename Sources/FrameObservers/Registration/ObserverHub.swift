public import AudioGraph
import Resampling

/// Keeps observers and the places they look at together while both come and go.
///
/// Thread: control (one at a time). It edits the graph; whoever owns the graph installs it afterwards.
public final class ObserverHub {
  private let graph: Graph
  private let isLossless: Bool
  private let onRelease: Doorbell
  private var places: [ObservedPlace] = []
  private var registrations: [ObserverRegistration] = []
  private var nextID = 1

  /// A hub without places.
  ///
  /// - Parameters:
  ///   - isLossless: true offline, where asynchronous observers get every frame and the pipeline waits for them.
  ///   - onRelease: rung when an asynchronous observer has made room.
  public init(graph: Graph, isLossless: Bool, onRelease: Doorbell) {
    self.graph = graph
    self.isLossless = isLossless
    self.onRelease = onRelease
  }

  /// Makes the stream that leaves `node` observable as `source`.
  ///
  /// Returns: the node from whose output 0 the path goes on. Throws: `GraphError` or `ResamplingError`; the graph is
  /// then as before.
  public func addPlace(
    _ source: FrameSource, named name: String, format: AudioFormat, after node: NodeID, output: Int = 0
  ) throws -> NodeID {
    let anchor = try graph.add(AnchorNode(channelCount: format.channelCount), named: name)
    var made: ObservedPlace?
    do {
      let place = try ObservedPlace(
        source: source, format: format, upstream: .init(node: node, port: output), anchor: anchor, graph: graph)
      made = place
      for registration in registrations where !registration.isRemoved { try attach(registration, to: place) }
      places.append(place)
      return anchor
    } catch {
      if let made { dismantle(made) } else { try graph.remove(anchor) }
      throw error
    }
  }

  /// Takes a place and the observers' nodes at it out of the graph. The nodes around it may be gone already.
  public func removePlace(_ source: FrameSource) throws {
    guard let index = places.firstIndex(where: { $0.source == source }) else { return }
    dismantle(places.remove(at: index))
  }

  /// Registers an observer at every place that its mask may ever name.
  ///
  /// Throws: `ObserverError`, `ResamplingError` or `GraphError`; nothing is registered then.
  public func add(_ request: ObserverRequest, onRemove: @escaping @Sendable () -> Void = {}) throws
    -> ObserverRegistration
  {
    if request.isAsynchronous {
      for position in ObserverPosition.each where request.isWritable(at: position) {
        throw ObserverError.asynchronousWriter(position)
      }
      guard request.capacity > 0 else { throw ObserverError.noCapacity }
    }
    let registration = ObserverRegistration(id: nextID, request: request, onRemove: onRemove)
    do {
      for place in places { try attach(registration, to: place) }
    } catch {
      registration.call.remove()
      registration.thread?.stop()
      try sweep()
      throw error
    }
    nextID += 1
    registrations.append(registration)
    return registration
  }

  /// Takes the nodes of removed registrations out of the graph. Returns: true when the graph has changed.
  @discardableResult
  public func sweep() throws -> Bool {
    var hasChanged = false
    for place in places {
      let leaving = try place.remove(where: \.isRemoved, from: graph)
      leaving.forEach(detach)
      hasChanged = hasChanged || !leaving.isEmpty
    }
    registrations.removeAll(where: \.isRemoved)
    return hasChanged
  }

  /// True when every asynchronous observer has room for the next frame; each is woken if one has not.
  ///
  /// Thread: the one that ticks, between ticks, offline only.
  public func hasRoom() -> Bool {
    var isReady = true
    for place in places {
      for member in place.members {
        guard let node = member.node as? AsynchronousObserverNode, !node.isReady else { continue }
        member.registration.thread?.bell.ring()
        isReady = false
      }
    }
    return isReady
  }

  /// Delivers what waits for asynchronous observers and ends their threads.
  public func finish() {
    for registration in registrations { registration.thread?.stop() }
  }

  /// What an observer's conversion adds to the latency of its own frames at `source`, in samples per channel at the
  /// observer's rate; nil when it is not registered there.
  public func observationDelay(of registration: ObserverRegistration, at source: FrameSource) -> Int? {
    places.first { $0.source == source }?.members.first { $0.registration === registration }?.node.observationDelay
  }

  private func attach(_ registration: ObserverRegistration, to place: ObservedPlace) throws {
    let request = registration.request
    let position = place.source.position
    let target = ObserverTarget(call: registration.call, source: place.source)
    var params = request.params[position]
    if let wanted = params, isNative(wanted, in: place.format) { params = nil }
    let node: any ObserverNode
    var feed: ObserverFeed?
    if request.isAsynchronous {
      let ring = FrameRing(
        capacity: request.capacity, format: place.format, policy: isLossless ? .dropNewest : .dropOldest)
      let delivery = try FrameDelivery(format: place.format, params: params, target: target, quality: .lowCost)
      node = AsynchronousObserverNode(
        channelCount: place.format.channelCount, target: target, frames: ring.takeProducer(),
        observationDelay: delivery.delay)
      feed = ObserverFeed(ring: ring, format: place.format, delivery: delivery, target: target, onRelease: onRelease)
    } else if !request.isWritable(at: position) {
      node = try ReadOnlyObserverNode(format: place.format, params: params, target: target)
    } else if let params {
      node = try ConvertingObserverNode(format: place.format, params: params, target: target)
    } else {
      node = ReadWriteObserverNode(format: place.format, target: target)
    }
    let name = "observer \(registration.id) at \(try graph.name(of: place.anchor))"
    let id = try graph.add(node, named: name)
    if let feed {
      registration.add(feed.ring)
      registration.thread?.add(feed)
    }
    try place.add(.init(registration: registration, node: node, id: id, feed: feed), to: graph)
  }

  private func dismantle(_ place: ObservedPlace) { place.dismantle(in: graph).forEach(detach) }

  private func detach(_ member: ObservedPlace.Member) {
    guard let feed = member.feed else { return }
    member.registration.thread?.remove(feed)
    member.registration.remove(feed.ring)
  }

  /// True where the format asked for is the place's own, frame by frame.
  private func isNative(_ params: AudioParams, in format: AudioFormat) -> Bool {
    params.sampleRate == format.sampleRate && params.channelCount == format.channelCount
      && params.samplesPerChannel * FrameSchedule.framesPerSecond == format.sampleRate
  }
}
