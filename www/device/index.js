/** Entry of this folder, loaded when somebody opens a model file, or asks the model in it. */

export { DeviceFields } from './fields.js';
export { DeviceModel } from './model.js';
