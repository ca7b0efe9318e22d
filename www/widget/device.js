/**
 * The model on this device that all widgets of a page share. Its module is loaded when somebody opens a model file or asks the
 * model; until then this is all there is of it.
 */

/** @typedef {import('../llm/device.js').DeviceState} DeviceState */
/** @typedef {import('../device/model.js').DeviceModel} DeviceModel */

/** Fired when what the model does has changed. */
export class DeviceEvent extends Event {
  constructor() {
    super('change');
  }
}

class PageDevice extends EventTarget {
  /** @type {DeviceState} */
  state = { phase: 'idle' };
  /** State in which it wrote last; null before. @type {Extract<DeviceState, { phase: 'writing' }> | null} */
  last = null;
  /** Use of the graphics processor. @type {import('../engine/gpu/choice.js').GpuSetting} */
  gpu = 'auto';
  /** @type {Promise<DeviceModel> | null} */
  #model = null;

  /** @param {import('../engine/files.js').AssetBase} base @returns {Promise<DeviceModel>} */
  open(base) {
    this.#model ??= import('../device/index.js').then(
      ({ DeviceModel }) =>
        new DeviceModel({ base, gpu: () => this.gpu, onState: (state) => this.#follow(state) }),
    );
    // What could not be loaded may be there the next time.
    this.#model.catch(() => {
      this.#model = null;
    });
    return this.#model;
  }

  /** Gives the memory back; the model is loaded again when it is asked. */
  async close() {
    const model = await this.#model?.catch(() => null);
    model?.close();
  }

  /** @param {DeviceState} state */
  #follow(state) {
    if (state.phase === 'writing') this.last = state;
    this.state = state;
    this.dispatchEvent(new DeviceEvent());
  }
}

export const device = new PageDevice();

/**
 * Activity of the model in words; '' where it does nothing.
 * @param {import('../strings/index.js').Strings} strings
 * @param {DeviceState} state
 */
export function describeState({ device: texts, format }, state) {
  switch (state.phase) {
    case 'idle':
      return '';
    case 'storing':
      return texts.storing(format.bytes(state.done), format.bytes(state.total));
    case 'loading':
      return texts.loading(format.bytes(state.done), format.bytes(state.total));
    case 'reading':
      return texts.reading(state.done, state.total);
    case 'writing':
      return texts.writing(format.number(Math.round(state.perSecond * 10) / 10));
  }
}
